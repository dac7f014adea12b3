import { isObject } from '../definition/own-property.ts'
import type { Finding, FindingLevel } from '../finding.ts'
import type { ToolRecord } from '../record/tool-record.ts'
import { checkShape } from './check-shape.ts'
import { CONTRADICTIONS } from './contradictions.ts'
import { type ToolMetadata, toRecord } from './tool-metadata.ts'

export interface ValidationOptions {
  /** Undeclared flags become errors. */
  readonly production?: boolean
}

/**
 * Everything that is wrong with a tool's metadata, all at once. Any finding of level `error` means that the
 * tool must not be offered; with `strict: false` contradictions are still told, as warnings.
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

/** A wrong shape does not hide contradictions: whatever part of the metadata can be read is still judged. */
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
 * How a record disagrees with itself, whoever wrote it.
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
