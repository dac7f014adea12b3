import { CATEGORIES, HINT_NAMES, OPERATIONS, SERVICE_DOMAINS } from '@hintgate/metadata'

/** Something that a condition can name, with the values it can have, where they are few. */
export interface Attribute {
  readonly type: 'string' | 'bool' | 'int' | 'list<string>'
  readonly values?: readonly string[]
}

/** A group of attributes. It has no value of its own. */
export interface Group {
  readonly name: string
  readonly fields: Readonly<Record<string, Attribute | Group>>
}

const TEXT: Attribute = { type: 'string' }

function oneOf(...values: readonly string[]): Attribute {
  return { type: 'string', values }
}

function someOf(values: readonly string[]): Attribute {
  return { type: 'list<string>', values }
}

const HINT: Group = {
  name: 'Hint',
  fields: { value: { type: 'bool' }, source: oneOf('override', 'declared', 'inferred', 'default') },
}

const LEG = oneOf('none', 'assumed', 'declared')

/** Everything a condition can name, besides `args` and `now`, which are no groups. */
export const GROUPS: Readonly<Record<string, Group>> = {
  agent: { name: 'Agent', fields: { id: TEXT, name: TEXT, kind: oneOf('agent', 'person') } },
  server: { name: 'Server', fields: { name: TEXT, trust: oneOf('reviewed', 'trusted') } },
  tool: {
    name: 'Tool',
    fields: {
      name: TEXT,
      title: TEXT,
      variant: oneOf('read', 'write', 'destructive'),
      category: oneOf(...Object.keys(CATEGORIES)),
      risk: { type: 'int' },
      operations: someOf(OPERATIONS),
      domains: someOf(SERVICE_DOMAINS),
      hints: { name: 'Hints', fields: Object.fromEntries(HINT_NAMES.map(hint => [hint, HINT])) },
    },
  },
  intent: {
    name: 'Intent',
    fields: {
      // Empty where the agent said nothing.
      operation_type: oneOf('', 'read', 'write', 'destructive'),
      data_sensitivity: oneOf('', 'public', 'internal', 'private', 'unknown'),
      reason: TEXT,
    },
  },
  session: {
    name: 'Session',
    fields: { id: TEXT, private_data: LEG, untrusted_content: LEG, way_out: LEG },
  },
}

export const VARIABLES: readonly string[] = [...Object.keys(GROUPS), 'args', 'now']

export function isGroup(found: Attribute | Group): found is Group {
  return 'fields' in found
}

/** Every group once, those inside others first. */
export function listGroups(groups: readonly Group[] = Object.values(GROUPS)): readonly Group[] {
  const found = groups.flatMap(group => [...listGroups(Object.values(group.fields).filter(isGroup)), group])
  return [...new Map(found.map(group => [group.name, group])).values()]
}
