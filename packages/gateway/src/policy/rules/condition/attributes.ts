import { CATEGORIES, CONSEQUENCES, HINT_NAMES, OPERATIONS, SERVICE_DOMAINS } from '@hintgate/metadata'

/** An attribute that a condition can name. If only certain values are possible, they are listed. */
export interface Attribute {
  readonly type: 'string' | 'bool' | 'int' | 'list<string>'
  readonly values?: readonly string[]
}

/** A group of attributes. It has no value of its own. */
export interface Group<Name extends string = string> {
  readonly name: string
  readonly fields: Readonly<Record<Name, Attribute | Group>>
  /** The class of the object with this group's values. CEL distinguishes groups by their class. */
  readonly View: new (
    values: Readonly<Record<Name, unknown>>,
  ) => object
}

function group<Name extends string>(name: string, fields: Group<Name>['fields']): Group<Name> {
  // oxlint-disable-next-line typescript/no-extraneous-class -- each group needs a class of its own
  class View {
    constructor(values: Readonly<Record<Name, unknown>>) {
      Object.assign(this, values)
    }
  }
  return { name, fields, View }
}

const TEXT: Attribute = { type: 'string' }

function oneOf(...values: readonly string[]): Attribute {
  return { type: 'string', values }
}

function someOf(values: readonly string[]): Attribute {
  return { type: 'list<string>', values }
}

export const HINT = group('Hint', {
  value: { type: 'bool' },
  source: oneOf('override', 'declared', 'inferred', 'default'),
})

export const HINTS = group('Hints', Object.fromEntries(HINT_NAMES.map(hint => [hint, HINT])))

const RISK_FACTOR = oneOf('none', 'assumed', 'declared')

/** Everything that a condition can name, apart from `args` and `now`, which are not groups. */
export const GROUPS = {
  agent: group('Agent', { id: TEXT, name: TEXT, kind: oneOf('agent', 'person') }),
  server: group('Server', { name: TEXT, trust: oneOf('reviewed', 'trusted') }),
  tool: group('Tool', {
    name: TEXT,
    title: TEXT,
    variant: oneOf('read', 'write', 'destructive'),
    category: oneOf(...Object.keys(CATEGORIES)),
    risk: { type: 'int' },
    operations: someOf(OPERATIONS),
    domains: someOf(SERVICE_DOMAINS),
    hints: HINTS,
    // A resource or a prompt counts as a tool that only reads. The name of a resource is its URI.
    kind: oneOf('tool', 'resource', 'prompt'),
  }),
  call: group('Call', {
    consequence: someOf(CONSEQUENCES),
    // The parameters that contain the recipient or target of the call.
    targets: { type: 'list<string>' },
    // How specifically text that the agent has read asks for the call. Empty if no such text is known.
    origin: oneOf('', 'target', 'occasion', 'kind'),
    // The argument whose value the text contains. `origin_server` and `origin_tool` identify the tool that returned the
    // text.
    argument: TEXT,
    origin_server: TEXT,
    origin_tool: TEXT,
    // The toolset whose endpoint received the call; empty at every other endpoint.
    set: TEXT,
  }),
  intent: group('Intent', {
    // The intent that the agent declared; empty if it declared none.
    operation_type: oneOf('', 'read', 'write', 'destructive'),
    data_sensitivity: oneOf('', 'public', 'internal', 'private', 'unknown'),
    reason: TEXT,
  }),
  session: group('Session', {
    id: TEXT,
    private_data: RISK_FACTOR,
    untrusted_content: RISK_FACTOR,
    external_communication: RISK_FACTOR,
    // The former name of `external_communication`, which is still accepted in policies.
    way_out: RISK_FACTOR,
  }),
} as const

export const VARIABLES: readonly string[] = [...Object.keys(GROUPS), 'args', 'now']

export function isGroup(found: Attribute | Group): found is Group {
  return 'fields' in found
}

/** Returns every group once. Nested groups come first. */
export function listGroups(groups: readonly Group[] = Object.values(GROUPS)): readonly Group[] {
  const found = groups.flatMap(group => [...listGroups(Object.values(group.fields).filter(isGroup)), group])
  return [...new Map(found.map(group => [group.name, group])).values()]
}
