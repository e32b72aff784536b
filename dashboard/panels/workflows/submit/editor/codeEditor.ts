/** Text editor (CodeMirror), loaded on demand. Independent of workflows. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  completionStatus,
  insertCompletionText,
  startCompletion,
  type Completion as EditorCompletion,
  type CompletionContext,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput, indentService, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, Transaction, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  tooltips,
  type Tooltip,
} from '@codemirror/view';
import { getOverlayRegion } from '#dashboard/components/overlay/region.ts';
import { editorTheme } from './editorTheme.ts';

export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
}

interface CompletionOption {
  readonly label: string;
  readonly detail: string;
  readonly description: string;
  readonly apply: string;
  readonly boost: number;
}

interface EditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly label: string;
  /** ID of the element with usage instructions. */
  readonly describedBy: string;
  onChange(text: string): void;
  /** `explicit`: true for a request by key, false during typing. */
  complete(
    text: string,
    offset: number,
    explicit: boolean,
  ): { from: number; options: readonly CompletionOption[] } | null;
  describe(offset: number): { from: number; to: number; dom: HTMLElement } | null;
  /** Returns the indentation of a new line after this one; null for the language's default. */
  indent(line: string): number | null;
}

export interface CodeEditor {
  setText(text: string): void;
  setMarks(marks: readonly Mark[]): void;
  goTo(offset: number): void;
  focus(): void;
  destroy(): void;
}

/** Inserts a key with its continuation: a new line for nested content, or the next completion for a value. */
function applyCompletion(option: CompletionOption) {
  return (view: EditorView, _completion: EditorCompletion, from: number, to: number): void => {
    const line = view.state.doc.lineAt(from);
    const isKey = /:\s+(?:- )?$/.test(option.apply);
    const hasColon = view.state.sliceDoc(to, to + 1) === ':';
    const column = from - line.from;
    const text = isKey && hasColon ? option.label : option.apply.replaceAll('\n', `\n${' '.repeat(column)}`);
    view.dispatch(insertCompletionText(view.state, text, from, to));
    if (isKey && !hasColon) startCompletion(view);
  };
}

function completionSource({ complete }: EditorOptions) {
  return (context: CompletionContext) => {
    const result = complete(context.state.doc.toString(), context.pos, context.explicit);
    if (result === null) return null;
    return {
      from: result.from,
      options: result.options.map((option) => ({
        label: option.label,
        detail: option.detail,
        ...(option.description === '' ? {} : { info: option.description }),
        boost: option.boost,
        apply: applyCompletion(option),
      })),
      validFor: /^[\w.-]*$/,
    };
  };
}

function hoverSource({ describe }: EditorOptions) {
  return hoverTooltip((_view, offset): Tooltip | null => {
    const description = describe(offset);
    if (description === null) return null;
    return { pos: description.from, end: description.to, above: true, create: () => ({ dom: description.dom }) };
  });
}

const modifierKeys: ReadonlySet<string> = new Set(['Tab', 'Shift', 'Control', 'Alt', 'Meta']);

/**
 * After Escape, Tab moves the focus out of the editor until another key is pressed. CodeMirror's two seconds are too
 * short for some users. An Escape that closes the completions does not count.
 */
const escapeThenTab = EditorView.domEventObservers({
  keydown(event, view) {
    if (event.key === 'Escape') view.setTabFocusMode(completionStatus(view.state) !== 'active');
    else if (!modifierKeys.has(event.key)) view.setTabFocusMode(false);
  },
  blur: (_event, view) => view.setTabFocusMode(false),
});

/**
 * Returns the area in which the editor's lists are fully visible: below the page's header, and above the bar at the
 * bottom of a narrow screen.
 */
function computeFreeArea(): { top: number; left: number; bottom: number; right: number } {
  const bar = document.querySelector('header.top')?.getBoundingClientRect();
  const main = document.querySelector('#main')?.getBoundingClientRect();
  const { innerHeight, innerWidth } = window;
  return {
    top: bar?.bottom ?? 0,
    left: 0,
    bottom: Math.min(innerHeight, main?.bottom ?? innerHeight),
    right: innerWidth,
  };
}

function createExtensions(options: EditorOptions): Extension[] {
  return [
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    indentOnInput(),
    indentUnit.of('  '),
    indentService.of((context, offset) =>
      context.simulatedBreak === offset ? (options.indent(context.lineAt(offset, -1).text) ?? undefined) : undefined,
    ),
    EditorState.tabSize.of(2),
    bracketMatching(),
    closeBrackets(),
    yaml(),
    editorTheme,
    // Tooltips are in a separate region: the editor would clip them, and their container must not be among the elements
    // that the page renders.
    tooltips({ position: 'fixed', parent: getOverlayRegion(), tooltipSpace: computeFreeArea }),
    autocompletion({ override: [completionSource(options)], icons: false, activateOnTypingDelay: 60 }),
    hoverSource(options),
    escapeThenTab,
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...lintKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    EditorView.contentAttributes.of({
      'aria-label': options.label,
      'aria-describedby': options.describedBy,
      // Marks the scrollable content as reachable by keyboard.
      tabindex: '0',
      spellcheck: 'false',
      autocapitalize: 'off',
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) options.onChange(update.state.doc.toString());
    }),
  ];
}

export function createEditor(options: EditorOptions): CodeEditor {
  let marks: readonly Mark[] = [];
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.text,
      extensions: createExtensions(options),
    }),
  });
  // Elements below change the editor's size; the current line stays visible.
  const resizeObserver = new ResizeObserver(() => {
    if (view.hasFocus) view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head) });
  });
  resizeObserver.observe(options.parent);
  const showMarks = () => {
    const { length } = view.state.doc;
    const clip = (offset: number) => Math.min(offset, length);
    const diagnostics = marks.map(({ from, to, severity, message }) => ({
      from: clip(from),
      to: clip(to),
      severity,
      message,
    }));
    view.dispatch(setDiagnostics(view.state, diagnostics));
  };
  return {
    setText(text) {
      if (text === view.state.doc.toString()) return;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: 0 },
        annotations: Transaction.userEvent.of('input.replace'),
        scrollIntoView: true,
      });
    },
    setMarks(list) {
      marks = list;
      showMarks();
    },
    goTo(offset) {
      const position = Math.min(offset, view.state.doc.length);
      view.dispatch({ selection: { anchor: position }, effects: EditorView.scrollIntoView(position, { y: 'center' }) });
      view.focus();
    },
    focus: () => view.focus(),
    destroy() {
      resizeObserver.disconnect();
      view.destroy();
    },
  };
}
