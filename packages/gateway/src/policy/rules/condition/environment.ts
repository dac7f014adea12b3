import { Environment } from '@marcbachmann/cel-js'
import { matchesGlob } from '../../../scope/match-scope.ts'
import { GROUPS, type Group, isGroup, listGroups } from './attributes.ts'
import { isBelow, isFound, isInNetwork, listTexts } from './functions.ts'
import { ConditionFault, Meter } from './meter.ts'

type Limits = Readonly<Record<keyof typeof LIMITS, number>>

const LIMITS = {
  maxAstNodes: 1_000,
  maxDepth: 40,
  maxListElements: 500,
  maxMapEntries: 100,
  maxCallArguments: 8,
} as const

/** The cost of parsing a host or an address. It is constant, because their length is limited. */
const UNITS_TO_READ = 5_000
const MAX_GLOB = 1_000

/**
 * The meter of the call that is being judged. A module variable is safe, because conditions are evaluated
 * synchronously, one at a time.
 */
let meter = new Meter()

export function meterWith(current: Meter): void {
  meter = current
}

const FUNCTIONS = {
  'glob(string, string): bool': (text: string, pattern: string) => {
    if (pattern.length > MAX_GLOB) throw new ConditionFault('the pattern of glob() is too long')
    meter.spend(text.length + pattern.length)
    return matchesGlob(pattern, text)
  },
  'cidr(string, string): bool': (address: string, network: string) => {
    meter.spend(UNITS_TO_READ)
    return isInNetwork(address, network)
  },
  'domain(string, string): bool': (text: string, domain: string) => {
    meter.spend(UNITS_TO_READ)
    return isBelow(text, domain)
  },
  're(string, string): bool': (text: string, pattern: string) => isFound(text, pattern, meter),
  'texts(dyn): list<string>': (value: unknown) => listTexts(value, meter),
  // An internal function, which `boundLoops` inserts into every loop.
  '__step(bool): bool': (readsOthers: boolean) => {
    meter.step(readsOthers)
    return true
  },
} as const

export const environment = createEnvironment(LIMITS)

/**
 * The environment for conditions that `boundLoops` has rewritten. Its limits are higher, because rewritten conditions
 * are longer and more deeply nested than the originals.
 */
export const roomyEnvironment = createEnvironment({
  ...LIMITS,
  maxAstNodes: LIMITS.maxAstNodes * 4,
  maxDepth: LIMITS.maxDepth * 4,
})

function createEnvironment(limits: Limits): Environment {
  const created = new Environment({ enableOptionalTypes: true, limits })
  for (const group of listGroups())
    created.registerType(group.name, { ctor: group.View, fields: typesOf(group) })
  for (const [variable, { name }] of Object.entries(GROUPS)) created.registerVariable(variable, name)
  created.registerVariable('args', 'map<string, dyn>')
  created.registerVariable('now', 'google.protobuf.Timestamp')
  for (const [signature, handler] of Object.entries(FUNCTIONS))
    created.registerFunction(signature, handler, { async: false })
  return created
}

function typesOf({ fields }: Group): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, isGroup(field) ? field.name : field.type]),
  )
}
