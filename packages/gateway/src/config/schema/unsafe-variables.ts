/**
 * These make a process load code of somebody's choice before its first line runs, in every program of its kind: loaders of
 * the system, then runtimes, then shells. Who may write `env` need not be who may write `command`.
 */
const LOADS_CODE = new RegExp(
  [
    'LD_.*|DYLD_.*|GCONV_PATH',
    'NODE_OPTIONS|NPM_CONFIG_NODE_OPTIONS|NPM_CONFIG_SCRIPT_SHELL',
    'PYTHONSTARTUP|PERL5OPT|PERL5DB|RUBYOPT|DOTNET_STARTUP_HOOKS',
    'JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS',
    'BASH_ENV|BASH_FUNC_.*|PROMPT_COMMAND',
  ]
    .map(names => `^(?:${names})$`)
    .join('|'),
  'i',
)

export function loadsCode(name: string): boolean {
  return LOADS_CODE.test(name)
}

export function findUnsafeVariables(env: Readonly<Record<string, string>>) {
  return Object.keys(env)
    .filter(loadsCode)
    .map(name => ({
      path: ['env', name],
      message: `${name} would load code into the server`,
      fix: 'remove it; what the server needs belongs into "command" and "args"; or say "allowUnsafeEnv": true',
      aboutKey: true as const,
    }))
}
