import type { Shape } from './shape.ts'
import type { WaiverDraft } from './write-waiver.ts'

/** Says in plain words what a rule would allow without a question, beyond the calls that people approved. */
export function sayNewlyAllowed(draft: WaiverDraft, shape: Shape): readonly string[] {
  const free = namesOf(shape, ({ kind }) => kind === 'free')
  const ranges = namesOf(shape, one => one.kind === 'range' && one.min !== one.max)
  const prefixes = namesOf(shape, ({ kind }) => kind === 'prefix')
  const listed = namesOf(shape, one => one.kind === 'values' && one.values.length > 1)
  return [
    ...(free.length === 0 ? [] : [`any text in ${free.join(', ')}, even text that an attacker wrote`]),
    ...(ranges.length === 0 ? [] : [`any number between the approved ones in ${ranges.join(', ')}`]),
    ...(prefixes.length === 0
      ? []
      : [`values of ${prefixes.join(', ')} that nobody has approved yet, with the same beginning`]),
    ...(listed.length === 0 ? [] : [`the approved values of ${listed.join(', ')} in other combinations`]),
    ...(draft.agents.endsWith('*') ? [`calls by agents that get a name like ${draft.agents} later`] : []),
    ...(draft.servers.endsWith('*')
      ? [`calls to servers that get a name like ${draft.servers} later, if their tool has this definition`]
      : []),
    'any number of such calls until the rule expires',
  ]
}

type Entry = Shape['arguments'] extends ReadonlyMap<string, infer One> ? One : never

function namesOf({ arguments: all }: Shape, isWanted: (one: Entry) => boolean): readonly string[] {
  return [...all].flatMap(([key, one]) => (isWanted(one) ? [key] : []))
}
