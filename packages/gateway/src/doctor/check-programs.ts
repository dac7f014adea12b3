import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import type { ServerConfig } from '../config/config.ts'
import { maskCommand } from '../detect/secrets/mask-words.ts'
import { hideOwnSecrets } from '../upstream/channel/hide-own-secrets.ts'
import type { DoctorFinding } from './finding.ts'

/** Programs of servers that are not on this machine; nothing is started to find that out. */
export function checkPrograms(servers: readonly ServerConfig[], path: string): readonly DoctorFinding[] {
  return servers.flatMap(({ name, enabled, transport }) => {
    if (!enabled || transport.kind !== 'stdio') return []
    const { command, cwd, env } = transport
    if (isProgram(command, cwd, env.PATH ?? path)) return []
    // Its variables are none of the command's secrets: `PATH` is half of it at times.
    const hide = hideOwnSecrets({ ...transport, env: {} })
    const finding: DoctorFinding = {
      code: 'program_missing',
      level: 'error',
      server: name,
      text: `${name}: its command ${JSON.stringify(hide(maskCommand(command)))} does not exist on this machine`,
      fix: `install it, or correct mcpServers.${name}.command`,
    }
    return [finding]
  })
}

/** As the system looks for it: by its place when there is a slash in it, else in the folders of the path. */
function isProgram(command: string, cwd: string, path: string): boolean {
  if (isAbsolute(command) || command.includes('/')) return isExecutable(resolve(cwd, command))
  const endings = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : ['']
  return path
    .split(delimiter)
    .some(
      folder => folder !== '' && endings.some(ending => isExecutable(join(folder, `${command}${ending}`))),
    )
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
