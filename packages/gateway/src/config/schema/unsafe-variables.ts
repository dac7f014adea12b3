/**
 * Matches variables that make a program load other code before its own, through the system's loader, a runtime or a
 * shell. They are dangerous, because a person who can change `env` is not necessarily allowed to change `command`.
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
      fix: 'remove the variable and use "command" and "args" instead, or set "allowUnsafeEnv": true',
      aboutKey: true as const,
    }))
}
