/** A demo lab whose time moves only when told to, for tests: nothing in it happens by itself unless asked for. */
import { ManualClock } from './clock.ts';
import { startDemoLab, type DemoLab, type DemoLabOptions } from './lab.ts';

const labs: DemoLab[] = [];

/** Without life and past unless `options` say otherwise; `stopLabs` ends it. */
export async function start(options: DemoLabOptions = {}): Promise<{ lab: DemoLab; clock: ManualClock }> {
  const clock = new ManualClock();
  const lab = await startDemoLab({ clock, living: false, past: false, ...options });
  labs.push(lab);
  return { lab, clock };
}

/** Ends every lab that `start` began; for `afterEach`. */
export async function stopLabs(): Promise<void> {
  await Promise.all(labs.splice(0).map((lab) => lab.stop()));
}

export async function get(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

/** Asks the control port: `path` is faults, scale or life. */
export async function control(
  lab: Pick<DemoLab, 'controlUrl'>,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const init = {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  };
  const response = await fetch(`${lab.controlUrl}demo/${path}`, init);
  return { status: response.status, body: (await response.json()) as unknown };
}
