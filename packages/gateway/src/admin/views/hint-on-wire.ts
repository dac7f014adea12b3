import { HINT_NAMES, HINTS, type HintName } from '@hintgate/metadata'

/** `readOnlyHint` is the hint `readOnly`. */
export function hintOnWire(wire: string): HintName | undefined {
  return HINT_NAMES.find(name => HINTS[name].wire === wire)
}
