import {
  checkBoolean,
  checkDomains,
  checkExtras,
  checkObject,
  checkOperations,
  checkReach,
  checkTags,
  checkText,
} from '../authoring/check-shape.ts'
import type { ServiceDomain } from '../authoring/service-domains.ts'
import { isServiceDomain } from '../authoring/service-domains.ts'
import { isObject, own } from '../definition/own-property.ts'
import { isOperation, type Operation } from '../derive/operations.ts'
import { isReach } from '../derive/reach.ts'
import type { Finding } from '../finding.ts'
import type { HintName, HintValues } from '../hint/hints.ts'
import type { ToolRecord } from '../record/tool-record.ts'

/** The record that was read from one part of a definition, with the problems found there. */
export interface Statement {
  readonly record: ToolRecord
  readonly findings: readonly Finding[]
}

/** The names that a dialect uses for the three axes. */
export interface Spelling {
  readonly serviceDomains: string
  readonly hints: Readonly<Partial<Record<HintName, string>>>
}

/** Reads `{ classification, behavior, action, tags, extras }` in one of the spellings. Invalid parts are left out. */
export function readAxes(value: unknown, path: string, spelling: Spelling): Statement {
  if (!isObject(value)) return { record: { hints: {} }, findings: checkObject(value, path) }
  const behavior = own(value, 'behavior') ?? undefined
  const classification = own(value, 'classification') ?? undefined
  const domains = own(classification, spelling.serviceDomains) ?? undefined
  const [operations, reach] = [own(behavior, 'operations') ?? undefined, own(behavior, 'reach')]
  const [action, tags] = [own(value, 'action'), own(value, 'tags')]
  const extras = own(value, 'extras') ?? undefined
  const flags = readFlags(behavior, `${path}.behavior`, spelling.hints)
  const badExtras = checkExtras(extras, `${path}.extras`)
  return {
    record: {
      hints: flags.hints,
      ...(Array.isArray(operations) ? { operations: unique<Operation>(operations.filter(isOperation)) } : {}),
      ...(isReach(reach) ? { reach } : {}),
      ...(Array.isArray(domains)
        ? { serviceDomains: unique<ServiceDomain>(domains.filter(isServiceDomain)) }
        : {}),
      ...(typeof action === 'string' ? { action } : {}),
      ...(Array.isArray(tags) ? { tags: tags.filter(tag => typeof tag === 'string') } : {}),
      ...(isObject(extras) && badExtras.length === 0 ? { extras } : {}),
    },
    findings: [
      ...checkObject(behavior, `${path}.behavior`),
      ...checkObject(classification, `${path}.classification`),
      ...flags.findings,
      ...checkOperations(operations, `${path}.behavior.operations`),
      ...checkReach(reach, `${path}.behavior.reach`),
      ...checkDomains(domains, `${path}.classification.${spelling.serviceDomains}`),
      ...checkText(action, `${path}.action`),
      ...checkTags(tags, `${path}.tags`),
      ...badExtras,
    ],
  }
}

/**
 * Reads the booleans with the given names. `null` counts as absent, because some languages write absent values as
 * `null`.
 */
export function readFlags(
  object: unknown,
  path: string,
  names: Readonly<Partial<Record<HintName, string>>>,
): { hints: HintValues; findings: Finding[] } {
  const findings: Finding[] = []
  const hints: { -readonly [K in HintName]?: boolean } = {}
  for (const [hint, key] of Object.entries(names) as [HintName, string][]) {
    const value = own(object, key) ?? undefined
    if (typeof value === 'boolean') hints[hint] = value
    else findings.push(...checkBoolean(value, `${path}.${key}`))
  }
  return { hints, findings }
}

function unique<T>(items: readonly T[]): readonly T[] {
  return [...new Set(items)]
}
