import { isObject } from '../definition/own-property.ts'
import type { Finding, FindingLevel } from '../finding.ts'
import type { ToolRecord } from '../record/tool-record.ts'
import { checkShape } from './check-shape.ts'
import { CONTRADICTIONS } from './contradictions.ts'
import { type ToolMetadata, toRecord } from './tool-metadata.ts'

export interface ValidationOptions {
  /** If true, undeclared flags are errors. */
  readonly production?: boolean
}

/**
 * Reports all problems with a tool's metadata, not only the first. A finding of level `error` means that the tool must
 * not be offered. With `strict: false`, contradictions are reported as warnings.
 *
 * @example
 * import { validateMetadata } from '@hintgate/metadata'
 * const findings = validateMetadata({ behavior: { operations: ['create', 'read'], readOnly: true } })
 * findings.map(finding => finding.code) // => ['readonly-mutates', 'flags-undeclared']
 */
export function validateMetadata(metadata: unknown, options: ValidationOptions = {}): Finding[] {
  const shape = checkShape(metadata)
  return [...shape, ...checkConsistency(metadata, options)]
}

/** Checks for contradictions even if the shape is wrong, using all parts of the metadata that are readable. */
function checkConsistency(metadata: unknown, options: ValidationOptions): Finding[] {
  if (!isObject(metadata)) return []
  const isStrict = metadata.strict !== false
  const findings = findContradictions(readableRecord(metadata))
  return findings.map(finding => ({ ...finding, level: levelOf(finding, { ...options, isStrict }) }))
}

function levelOf(
  finding: Finding,
  { production, isStrict }: ValidationOptions & { isStrict: boolean },
): FindingLevel {
  const level = finding.code === 'flags-undeclared' && production ? 'error' : finding.level
  return level === 'error' && !isStrict ? 'warning' : level
}

/**
 * Reports the parts of a record that contradict each other. The record can come from an author or from a server.
 *
 * @example
 * import { findContradictions } from '@hintgate/metadata'
 * findContradictions({ hints: { destructive: false }, operations: ['delete'] })[0]?.code // => 'delete-not-destructive'
 */
export function findContradictions(record: ToolRecord): Finding[] {
  return CONTRADICTIONS.flatMap(({ code, level, path, fix, detail }) => {
    const message = detail(record)
    return message === undefined ? [] : [{ code, level, path, message, fix }]
  })
}

function readableRecord(metadata: object): ToolRecord {
  const { behavior, classification } = metadata as ToolMetadata
  const { operations, ...flags } = toRecord({
    ...(isObject(behavior) ? { behavior } : {}),
    ...(isObject(classification) ? { classification } : {}),
  })
  const { serviceDomains } = flags
  return {
    hints: flags.hints,
    ...(Array.isArray(operations) ? { operations } : {}),
    ...(Array.isArray(serviceDomains) ? { serviceDomains } : {}),
  }
}
