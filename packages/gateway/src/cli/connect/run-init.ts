import { join, resolve } from 'node:path'
import { CLIENTS } from '../../client-configs/clients.ts'
import { createConfig, findHome } from '../../client-configs/own-config.ts'
import { currentPlace } from '../../client-configs/place.ts'
import { ALL_SCOPES, findSources } from '../../client-configs/plan-config-import.ts'
import { showJson } from '../show/show-json.ts'
import { type PlaceFlags, reportError } from '../terminal/context.ts'
import { EXIT, write } from '../terminal/output.ts'
import { agree } from './connect-show.ts'

export interface InitFlags extends PlaceFlags {
  readonly global?: boolean
  readonly json?: boolean
}

/** `hintgate init`: a config to start from. */
export async function runInit(flags: InitFlags): Promise<void> {
  try {
    const place = currentPlace()
    const path = flags.global
      ? join(findHome(flags, place), 'hintgate.json')
      : resolve(place.cwd, flags.config ?? 'hintgate.json')
    createConfig({ path })
    process.exitCode = EXIT.done
    if (flags.json) return await write(showJson({ config: path, created: true }))
    await write(`Wrote ${path}.\n`)
    const count = findSources(CLIENTS, place, ALL_SCOPES).found.reduce(
      (sum, { entries }) => sum + entries.length,
      0,
    )
    if (count === 0) return await write('Next: hintgate servers add, then hintgate serve\n')
    const named = `Your clients name ${count} ${count === 1 ? 'server' : 'servers'}`
    const isWanted = await agree(flags, `${named}. Look at what would be taken over?`)
    if (isWanted) return await (await import('./run-import.ts')).runImport([], { ...flags, config: path })
    await write(`${named}; hintgate import takes ${count === 1 ? 'it' : 'them'} over.\n`)
  } catch (error) {
    process.exitCode = reportError(error)
  }
}
