/** Variables a server gets from our own environment. Everything else (our secrets, too) stays here. */
const INHERITED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'TZ']
const INHERITED_ON_WINDOWS = [
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'SYSTEMROOT',
  'TEMP',
  'PATHEXT',
  'COMSPEC',
]

/** What a server's process finds in its environment: a few variables of ours, and what its config says. */
export function buildEnvironment(
  configured: Readonly<Record<string, string>>,
  ours: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const names = process.platform === 'win32' ? [...INHERITED, ...INHERITED_ON_WINDOWS] : INHERITED
  const inherited = names.flatMap(name => {
    const value = ours[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(inherited), ...configured }
}
