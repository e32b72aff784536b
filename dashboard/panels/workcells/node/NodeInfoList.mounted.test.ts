import { expect, it } from 'vitest';
import { mountComponent } from '#dashboard/fixtures/mounted.ts';
import { sampleNode } from '#dashboard/fixtures/sampleWorkflow.ts';
import NodeInfoList from './NodeInfoList.vue';

it.each([
  ['sila://bench-4:50052', 1],
  ['http://bench-4:2000/', 0],
])(
  'the information about the node at %s names its protocol if only the workcell manager can reach it',
  (url, count) => {
    const { page } = mountComponent(NodeInfoList, { node: { ...sampleNode(), node_url: url } });
    expect(
      page.queryAllByText('SiLA 2: only the workcell manager reaches it, with actions and no commands'),
    ).toHaveLength(count);
  },
);
