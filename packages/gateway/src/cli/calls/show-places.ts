import { showUntrusted } from '@hintgate/metadata'
import { splitId } from '../../protocol/split-id.ts'
import { withSets } from '../client/with-sets.ts'
import { showPrint } from '../show/review-text.ts'
import { layTable } from '../show/show-json.ts'
import type { PlaceFlags } from '../terminal/context.ts'

const MAX_NAME = 120

/** Shows the toolsets that offer a tool, with its name and its override there. Empty if there are none. */
export function showPlaces(id: string, flags: PlaceFlags): Promise<string> {
  const { server, tool } = splitId(id)
  return withSets(flags, sets => {
    const rows = sets.flatMap(set => {
      const offered = set.toolsOf(server).find(one => one.tool.name === tool)
      if (offered === undefined) return []
      const { name, override } = offered
      const by =
        override &&
        `override ${showPrint(override.fingerprint)} by ${showUntrusted(override.author, MAX_NAME)}`
      return [[`  ${set.name}`, showUntrusted(name, MAX_NAME), by ?? '']]
    })
    return rows.length === 0 ? '' : `\ntoolsets\n${layTable(rows).join('\n')}\n`
  })
}
