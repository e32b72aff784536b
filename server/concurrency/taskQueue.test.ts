import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { TaskQueue } from './taskQueue.ts';

/** Tasks that the test ends, and the names of the running ones. */
class Tasks {
  readonly running: string[] = [];
  readonly #ends = new Map<string, (error?: Error) => void>();

  task(name: string): () => Promise<string> {
    return () => {
      this.running.push(name);
      return new Promise((resolve, reject) => this.#ends.set(name, (error) => (error ? reject(error) : resolve(name))));
    };
  }

  async end(name: string, error?: Error): Promise<void> {
    this.running.splice(this.running.indexOf(name), 1);
    this.#ends.get(name)?.(error);
    await setImmediate();
  }
}

it('a task queue runs tasks one after the other in order', async () => {
  const [queue, tasks] = [new TaskQueue(), new Tasks()];
  const results = ['a', 'b', 'c'].map((name) => queue.run(tasks.task(name)));
  expect(tasks.running).toEqual([]);
  for (const name of ['a', 'b', 'c']) {
    await setImmediate();
    expect(tasks.running).toEqual([name]);
    await tasks.end(name);
  }
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c']);
});

it('a task queue rejects with the error of a task and continues', async () => {
  const [queue, tasks] = [new TaskQueue(), new Tasks()];
  const failed = expect(queue.run(tasks.task('a'))).rejects.toThrow('full');
  const next = queue.run(() => 'b');
  await setImmediate();
  await tasks.end('a', new Error('full'));
  await failed;
  expect(await next).toBe('b');
});

it('a task queue runs as many tasks at a time as its limit allows', async () => {
  const [queue, tasks] = [new TaskQueue(2), new Tasks()];
  for (const name of ['a', 'b', 'c', 'd']) void queue.run(tasks.task(name));
  await setImmediate();
  expect(tasks.running).toEqual(['a', 'b']);
  await tasks.end('b');
  expect(tasks.running).toEqual(['a', 'c']);
  await tasks.end('a');
  expect(tasks.running).toEqual(['c', 'd']);
});

it('a task queue is settled when the tasks added before have ended or failed', async () => {
  const [queue, tasks] = [new TaskQueue(), new Tasks()];
  await queue.settled();
  const failed = expect(queue.run(tasks.task('a'))).rejects.toThrow('full');
  let isSettled = false;
  const settled = queue.settled().then(() => (isSettled = true));
  await setImmediate();
  expect(isSettled).toBe(false);
  await tasks.end('a', new Error('full'));
  await Promise.all([failed, settled]);
});

it('a task queue runs no task whose signal aborts before its turn', async () => {
  const [queue, tasks, late] = [new TaskQueue(), new Tasks(), new AbortController()];
  const first = queue.run(tasks.task('a'));
  const aborted = expect(queue.run(tasks.task('b'), late.signal)).rejects.toBe('over');
  const last = queue.run(tasks.task('c'));
  await setImmediate();
  late.abort('over');
  await aborted;
  expect(tasks.running).toEqual(['a']);
  await tasks.end('a');
  expect(tasks.running).toEqual(['c']);
  await tasks.end('c');
  expect(await Promise.all([first, last])).toEqual(['a', 'c']);
});

it('a task queue runs urgent tasks before the others that wait, in order', async () => {
  const [queue, tasks, late] = [new TaskQueue(), new Tasks(), new AbortController()];
  const results = ['a', 'b', 'c'].map((name) => queue.run(tasks.task(name)));
  const aborted = expect(queue.run(tasks.task('never'), late.signal, true)).rejects.toBe('over');
  results.push(...['d', 'e'].map((name) => queue.run(tasks.task(name), undefined, true)));
  late.abort('over');
  await aborted;
  for (const name of ['a', 'd', 'e', 'b', 'c']) {
    await setImmediate();
    expect(tasks.running).toEqual([name]);
    await tasks.end(name);
  }
  await Promise.all(results);
});
