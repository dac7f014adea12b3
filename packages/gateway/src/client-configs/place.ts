import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'
import { HintgateError } from '../base/errors.ts'

/**
 * The facts about the machine and the user that paths depend on. They are a value, so that the paths on every operating
 * system can be tested on any of them.
 */
export interface Place {
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  readonly homeDir: string
  /** The project's folder. */
  readonly cwd: string
}

export function currentPlace(): Place {
  return { platform: process.platform, env: process.env, homeDir: homedir(), cwd: process.cwd() }
}

export function joinPath({ platform }: Place, ...parts: readonly string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...parts)
}

/**
 * Returns a path in the user's home folder. Throws if the home folder is unknown, because the path would otherwise lead
 * into the working folder.
 */
export function underHome(place: Place, ...parts: readonly string[]): string {
  const isAbsolute = (place.platform === 'win32' ? win32 : posix).isAbsolute(place.homeDir)
  if (!isAbsolute) throw new HintgateError('home_missing', {})
  return joinPath(place, place.homeDir, ...parts)
}

/** Returns a path in the folder where desktop programs keep their settings. */
export function underSettings(place: Place, ...parts: readonly string[]): string {
  const { platform, env } = place
  if (platform === 'darwin') return underHome(place, 'Library', 'Application Support', ...parts)
  if (platform === 'win32')
    return env.APPDATA
      ? joinPath(place, env.APPDATA, ...parts)
      : underHome(place, 'AppData', 'Roaming', ...parts)
  return env.XDG_CONFIG_HOME
    ? joinPath(place, env.XDG_CONFIG_HOME, ...parts)
    : underHome(place, '.config', ...parts)
}

/** Shortens the home folder to `~`, as in `~/.cursor/mcp.json`. */
export function showFile(file: string, { homeDir }: Pick<Place, 'homeDir'>): string {
  const rest = homeDir !== '' && file.startsWith(homeDir) ? file.slice(homeDir.length) : ''
  return /^[/\\]/.test(rest) ? `~${rest}` : file
}
