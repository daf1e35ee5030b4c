/**
 * The variables of this process that a stdio server is started with, besides what the user gives: enough to find
 * programs, the home folder and the terminal's kind. Everything else (and with it the host's secrets) stays here.
 */
const inheritedVariables =
  process.platform === 'win32'
    ? [
        ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT', 'PROCESSOR_ARCHITECTURE'],
        ...['PROGRAMDATA', 'PROGRAMFILES', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE'],
        'WINDIR',
      ]
    : ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'];

/** The environment of a stdio server: {@link inheritedVariables} as they stand here, then the user's own. */
export function serverEnvironment(own: Readonly<Record<string, string>> = {}): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of inheritedVariables) {
    const value = process.env[name];
    // A value that begins with "()" is an exported bash function: code, not data (CVE-2014-6271).
    if (value !== undefined && !value.startsWith('()')) environment[name] = value;
  }
  return { ...environment, ...own };
}
