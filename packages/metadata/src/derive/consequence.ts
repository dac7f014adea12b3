import type { ToolDefinition } from '../definition/tool-definition.ts'
import { splitWords } from '../infer/split-words.ts'

/** The consequences that a call can have beyond the server's own data. */
export const CONSEQUENCES = [
  'communicate',
  'pay',
  'access',
  'delete',
  'execute',
  'publish',
  'change',
  'create',
  'visit',
] as const

export type Consequence = (typeof CONSEQUENCES)[number]

/**
 * The verbs that express each consequence, in tool names and in prose. The same verb can express several consequences.
 */
const VERBS: Readonly<Record<Consequence, string>> = {
  communicate:
    'send sent email mail message dm text tell notify forward share invite reply respond contact post announce submit write call fax',
  pay: 'pay transfer send wire remit refund reimburse buy bought purchase order checkout donate book reserve rent subscribe deposit withdraw tip bid invest trade sell settle redeem',
  access:
    'change update set reset modify add grant give share remove revoke invite enable disable allow authorize authorise verify log login sign register unlock approve assign promote rotate expose link connect',
  delete:
    'delete remove erase clear wipe drop cancel purge destroy unsubscribe empty trash truncate uninstall discard',
  execute: 'run execute install start launch deploy restart trigger invoke eval build schedule',
  publish: 'publish post upload release share push merge comment star fork tweet announce submit deploy like',
  change: 'change update set modify edit reschedule move rename replace adjust alter correct',
  create:
    'create make schedule add write save append upload book plan arrange generate insert register open file copy put',
  visit:
    'download visit open browse go click fetch follow fill enter submit check navigate access load crawl',
}

const BY_VERB = indexVerbs()

function indexVerbs(): ReadonlyMap<string, readonly Consequence[]> {
  const index = new Map<string, Consequence[]>()
  for (const consequence of CONSEQUENCES)
    for (const verb of VERBS[consequence].split(' '))
      index.set(verb, [...(index.get(verb) ?? []), consequence])
  return index
}

/**
 * Returns the consequences that a verb usually expresses, whether or not the verb has an ending such as `-s` or `-ing`.
 *
 * @example
 * import { consequencesOfVerb } from '@hintgate/metadata'
 * consequencesOfVerb('refund') // => ['pay']
 */
export function consequencesOfVerb(word: string): readonly Consequence[] {
  return BY_VERB.get(word) ?? BY_VERB.get(baseOf(word)) ?? []
}

function baseOf(word: string): string {
  if (word.endsWith('ing')) return word.slice(0, -3)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

/**
 * Like `consequencesOfVerb`, but accepts only a verb without an ending, as used in orders and requests.
 *
 * @example
 * import { consequencesOfBareVerb } from '@hintgate/metadata'
 * consequencesOfBareVerb('refunds') // => []
 */
export function consequencesOfBareVerb(word: string): readonly Consequence[] {
  return BY_VERB.get(word) ?? []
}

/**
 * All verbs for which `consequencesOfBareVerb` returns a consequence.
 *
 * @example
 * import { BARE_VERBS } from '@hintgate/metadata'
 * BARE_VERBS.includes('refund') // => true
 */
export const BARE_VERBS: readonly string[] = [...BY_VERB.keys()]

/** Matches parameters that name the recipient or the target of a call. */
const TARGET =
  /^(?:to|cc|bcc|for)$|recipient|address|e_?mail|phone|url|uri|link|host|domain|endpoint|webhook|account|iban|wallet|payee|beneficiary|path|file|dir|folder|dest|user|member|participant|attendee|invitee|assignee|owner|group|team|role|permission|password|secret|key|channel|chat|command|script|sql|code|query|amount|repo|branch|id$/i

export interface ToolConsequences {
  readonly kinds: readonly Consequence[]
  /** The parameters that name the recipient or the target of a call. */
  readonly targets: readonly string[]
  /** The words in the name and the description from which the consequences were inferred. */
  readonly evidence: readonly string[]
  readonly source: 'override' | 'inferred'
}

/** Nouns that imply a consequence even in a name without a verb. */
const THINGS: Readonly<Record<string, Consequence>> = Object.fromEntries(
  (
    [
      [
        'pay',
        'money payment transaction cart checkout order purchase refund transfer wallet booking reservation subscription',
      ],
      ['access', 'password credential permission role member collaborator account webhook'],
      ['communicate', 'email mail message sms'],
      ['visit', 'webpage url page site'],
    ] as const
  ).flatMap(([kind, things]) => things.split(' ').map(thing => [thing, kind])),
)

const NAME_WORDS = 4
const DESCRIPTION_WORDS = 2

/**
 * Infers the consequences that a call to a tool can have from the tool's name and the first words of its description,
 * and the parameters that name the recipient or the target from its schema. An operator's override replaces the
 * consequences.
 *
 * @example
 * import { consequencesOf } from '@hintgate/metadata'
 * consequencesOf({ name: 'send_email', inputSchema: { properties: { to: {}, body: {} } } })
 * // => { kinds: ['communicate', 'pay'], targets: ['to'], evidence: ['send', 'email'], source: 'inferred' }
 */
export function consequencesOf(
  { name, description, inputSchema }: ToolDefinition,
  override?: readonly Consequence[],
): ToolConsequences {
  const kinds = new Set<Consequence>()
  const evidence = new Set<string>()
  const first =
    (typeof description === 'string' ? description : '')
      .slice(0, 200)
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  for (const word of [...splitWords(name).slice(0, NAME_WORDS), ...first.slice(0, DESCRIPTION_WORDS)]) {
    const thing = THINGS[word]
    const found = [...consequencesOfVerb(word), ...(thing === undefined ? [] : [thing])]
    for (const kind of found) kinds.add(kind)
    if (found.length > 0) evidence.add(word)
  }
  const properties = (inputSchema as { properties?: unknown } | null | undefined)?.properties
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  const targets = names.filter(each => TARGET.test(each))
  return override === undefined
    ? { kinds: [...kinds], targets, evidence: [...evidence], source: 'inferred' }
    : { kinds: override, targets, evidence: [], source: 'override' }
}
