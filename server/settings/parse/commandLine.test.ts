import { describe, expect, it } from 'vitest';
import { parseCommandLine } from './commandLine.ts';

const values = (argv: string[], mode: 'headless' | 'desktop' = 'headless') =>
  Object.fromEntries(
    parseCommandLine(argv, mode).values.map(({ name, raw }) => [name, raw.style === 'option' ? raw.texts : null]),
  );

describe('settings on the command line', () => {
  it.each<[string, string[], Record<string, string[]>]>([
    ['a separate value', ['--lab-server-url', 'http://a'], { server_url: ['http://a'] }],
    ['a value after =', ['--lab-server-url=http://a?b=c'], { server_url: ['http://a?b=c'] }],
    ['the bare spelling of MADSci', ['--dashboard_files_path', 'None'], { dashboard_files_path: ['None'] }],
    ['a prefix with underscores', ['--lab_log_level', '10'], { log_level: ['10'] }],
    ['a service address', ['--event-server-url', 'http://e'], { event_server_url: ['http://e'] }],
    ['a service address with underscores', ['--event_server_url=null'], { event_server_url: ['null'] }],
    [
      'a repeated option, whose values are listed in order',
      ['--server_url=a', '--lab-server-url=b'],
      { server_url: ['a', 'b'] },
    ],
    [
      'none, which clears earlier values',
      ['--rate_limit_exempt_ips=a', '--rate_limit_exempt_ips=null'],
      { rate_limit_exempt_ips: ['null'] },
    ],
    [
      'a boolean without a value',
      ['--lab-verbose', '--lab-log-level=INFO'],
      { verbose: ['true'], log_level: ['INFO'] },
    ],
    ['a boolean with a value', ['--lab-verbose', 'no'], { verbose: ['no'] }],
    ['a negative number', ['--lab-listen-port', '-1'], { listen_port: ['-1'] }],
    ['an empty value', ['--lab-manager-name='], { manager_name: [''] }],
    ['the ignored names of MADSci', ['--uvicorn_workers', '2', '--lab_uvicorn_workers=2'], {}],
  ])('are read with %s', (_, argv, expected) => {
    expect(parseCommandLine(argv, 'headless').problems).toEqual([]);
    expect(values(argv)).toEqual(expected);
  });

  it.each<[string, string[], RegExp, RegExp]>([
    ['a typing error', ['--lab-sever-url=a'], /no such option/, /--lab-server-url/],
    ['a wrong separator', ['--server-url', 'a'], /no such option/, /--server_url/],
    ['a bare spelling that only we have', ['--verbose'], /no such option/, /--help|--lab-verbose|--version/],
    ['no similar option', ['--colour-of-the-door'], /no such option/, /--help/],
    ['a short option', ['-x'], /no such option/, /./],
    ['a positional argument', ['hello'], /unexpected argument/, /--help/],
    ['a missing value', ['--lab-server-url'], /needs a value/, /http:/],
    ['a missing value before another option', ['--lab-server-url', '--headless'], /needs a value/, /http:/],
    ['a missing directory', ['--settings-dir'], /needs a value/, /directory/],
    ['a value for a flag', ['--headless=yes'], /takes no value/, /--headless/],
  ])('result in one error with %s', (_, argv, message, expected) => {
    const { problems } = parseCommandLine(argv, 'headless');
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ severity: 'error', source: 'command line' });
    expect(problems[0]?.message).toMatch(message);
    expect(problems[0]?.expected).toMatch(expected);
  });

  it('can be mixed with switches of Chromium and Electron in the desktop app', () => {
    const { problems } = parseCommandLine(['--no-sandbox', '--inspect=9229', '--verbose', '-x', 'file.txt'], 'desktop');
    expect(problems).toEqual([]);
  });

  it.each(['--lab-sever-url=a', '--lab_foo', '--evnt-server-url=a', '--x_server_url'])(
    'result in one error with %s in the desktop app too',
    (option) => {
      expect(parseCommandLine([option], 'desktop').problems).toHaveLength(1);
    },
  );

  it('are distinguished from the flags of the programs', () => {
    expect(
      parseCommandLine(['--status', '--settings-dir', '/lab', '-h', '--check-settings'], 'headless').flags,
    ).toEqual({
      help: true,
      version: false,
      checkSettings: true,
      headless: false,
      hidden: false,
      quit: false,
      doctor: false,
      json: false,
      notifyTest: false,
      maintenance: null,
      until: null,
      every: null,
      for: null,
      user: null,
      token: null,
      role: null,
      status: true,
      safetyStop: false,
      ping: false,
      demo: false,
      settingsDir: '/lab',
      bundle: null,
    });
    expect(parseCommandLine(['--settings-dir=/lab=x'], 'headless').flags.settingsDir).toBe('/lab=x');
    expect(parseCommandLine(['--doctor', '--json', '--bundle', 'b.zip'], 'headless').flags).toMatchObject({
      doctor: true,
      json: true,
      bundle: 'b.zip',
    });
    expect(parseCommandLine(['--bundle'], 'headless').problems).toHaveLength(1);
  });
});
