/** Example definitions. The user replaces names in capitals by those of the lab. */
import { submitTexts } from '../texts.ts';

const texts = submitTexts.examplesList;

export interface Example {
  readonly title: string;
  readonly description: string;
  readonly text: string;
}

export const examples: readonly Example[] = [
  {
    ...texts.wait,
    text: `name: Wait a moment
definition_metadata:
  description: Waits, and moves nothing
steps:
  - name: Wait
    action: wait
    args:
      seconds: 5
`,
  },
  {
    ...texts.parameters,
    text: `name: Wait for a given time
definition_metadata:
  description: The time is given at the start
parameters:
  json_inputs:
    - key: pause
      description: How long, in seconds
      default: 5
steps:
  - name: Wait
    action: wait
    use_parameters:
      args:
        seconds: pause
`,
  },
  {
    ...texts.transfer,
    text: `name: Carry
definition_metadata:
  description: Carry the resource at one location to another
parameters:
  json_inputs:
    - key: from
      description: Location to take it from
    - key: to
      description: Location to bring it to
steps:
  - name: Carry
    action: transfer
    use_parameters:
      args:
        source: from
        target: to
`,
  },
  {
    ...texts.feed,
    text: `name: Measure and use
definition_metadata:
  description: A later step uses the result of an earlier one
parameters:
  feed_forward:
    - key: reading
      step: measure
      label: json_result
steps:
  - name: Measure
    key: measure
    node: NODE
    action: ACTION
  - name: Use it
    node: NODE
    action: ACTION
    use_parameters:
      args:
        ARGUMENT: reading
`,
  },
  {
    ...texts.file,
    text: `name: Run a file
definition_metadata:
  description: A file is given at the start
parameters:
  file_inputs:
    - key: protocol
      description: The file to run
steps:
  - name: Run
    node: NODE
    action: ACTION
    files:
      ARGUMENT: protocol
`,
  },
];

/** Initial text of the editor: the smallest complete definition. */
export const emptyDefinition = `name: New workflow
steps:
  - name: First step
    action: wait
    args:
      seconds: 1
`;
