import { describe, expect, it } from 'vitest';
import { parseCommandLine } from './commandLine.ts';

const values = (argv: string[], mode: 'headless' | 'desktop' = 'headless') =>
  Object.fromEntries(
    parseCommandLine(argv, mode).values.map(({ name, raw }) => [name, raw.style === 'option' ? raw.texts : null]),
  );

describe('settings on the command line', () => {
  it.each<[string, string[], Record<string, string[]>]>([
    ['value apart', ['--lab-server-url', 'http://a'], { server_url: ['http://a'] }],
    ['value after =', ['--lab-server-url=http://a?b=c'], { server_url: ['http://a?b=c'] }],
    ['bare spelling of the real service', ['--dashboard_files_path', 'None'], { dashboard_files_path: ['None'] }],
    ['prefixed with underscores', ['--lab_log_level', '10'], { log_level: ['10'] }],
    ['service address', ['--event-server-url', 'http://e'], { event_server_url: ['http://e'] }],
    ['service address with underscores', ['--event_server_url=null'], { event_server_url: ['null'] }],
    ['the last of a repeated one ends the list', ['--server_url=a', '--lab-server-url=b'], { server_url: ['a', 'b'] }],
    [
      'none takes back what came before',
      ['--rate_limit_exempt_ips=a', '--rate_limit_exempt_ips=null'],
      { rate_limit_exempt_ips: ['null'] },
    ],
    ['boolean without value', ['--lab-verbose', '--lab-log-level=INFO'], { verbose: ['true'], log_level: ['INFO'] }],
    ['boolean with value', ['--lab-verbose', 'no'], { verbose: ['no'] }],
    ['negative number', ['--lab-listen-port', '-1'], { listen_port: ['-1'] }],
    ['empty value', ['--lab-manager-name='], { manager_name: [''] }],
    ['silent names of the real service', ['--uvicorn_workers', '2', '--lab_otel_enabled=true'], {}],
  ])('%s', (_, argv, expected) => {
    expect(parseCommandLine(argv, 'headless').problems).toEqual([]);
    expect(values(argv)).toEqual(expected);
  });

  it.each<[string, string[], RegExp, RegExp]>([
    ['typing slip', ['--lab-sever-url=a'], /no such option/, /--lab-server-url/],
    ['wrong separator', ['--server-url', 'a'], /no such option/, /--server_url/],
    ['bare spelling of ours alone', ['--verbose'], /no such option/, /--help|--lab-verbose|--version/],
    ['nothing near', ['--colour-of-the-door'], /no such option/, /--help/],
    ['short', ['-x'], /no such option/, /./],
    ['argument', ['hello'], /unexpected argument/, /--help/],
    ['missing value', ['--lab-server-url'], /needs a value/, /http:/],
    ['missing value before another', ['--lab-server-url', '--headless'], /needs a value/, /http:/],
    ['missing directory', ['--settings-dir'], /needs a value/, /directory/],
    ['value for a flag', ['--headless=yes'], /takes no value/, /--headless/],
  ])('%s is one error', (_, argv, message, expected) => {
    const { problems } = parseCommandLine(argv, 'headless');
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ severity: 'error', source: 'command line' });
    expect(problems[0]?.message).toMatch(message);
    expect(problems[0]?.expected).toMatch(expected);
  });

  it('leaves switches of Chromium and Electron alone in the desktop app', () => {
    const { problems } = parseCommandLine(['--no-sandbox', '--inspect=9229', '--verbose', '-x', 'file.txt'], 'desktop');
    expect(problems).toEqual([]);
  });

  it.each(['--lab-sever-url=a', '--lab_foo', '--evnt-server-url=a', '--x_server_url'])(
    '%s is an error in the desktop app too',
    (option) => {
      expect(parseCommandLine([option], 'desktop').problems).toHaveLength(1);
    },
  );

  it('reads the flags of the programs', () => {
    expect(
      parseCommandLine(['--status', '--settings-dir', '/lab', '-h', '--check-settings'], 'headless').flags,
    ).toEqual({
      help: true,
      version: false,
      checkSettings: true,
      headless: false,
      hidden: false,
      doctor: false,
      json: false,
      notifyTest: false,
      maintenance: null,
      until: null,
      status: true,
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
