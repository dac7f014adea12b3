import { isSuspicious, type ScanFinding, scanTool } from '@hintgate/metadata'
import { groupBy, mean } from '../inference/score.ts'
import type { LabelledRow, VendorTool } from './load-rows.ts'

/** How many rows were found suspicious. */
interface Count {
  readonly flagged: number
  readonly rows: number
  readonly share: number
}

/** A row with a wrong result, and its findings. */
export interface Mistake {
  readonly place: string
  readonly kind: string
  readonly name: string
  readonly text: string
  readonly rules: readonly string[]
}

export interface ScannerResults {
  readonly precision: number
  readonly recall: number
  /** The mean over sources, because one source has three quarters of the malicious rows. */
  readonly recallOverSources: number
  readonly falsePositives: Count
  readonly kinds: readonly (Count & { readonly kind: string; readonly isMalicious: boolean })[]
  /** Vendors' complete definitions; findings there are probably false. */
  readonly vendors: Count
  readonly misses: readonly Mistake[]
  readonly falseAlarms: readonly Mistake[]
  readonly vendorAlarms: readonly Mistake[]
  readonly microsecondsPerTool: number
}

interface Judged<T> {
  readonly row: T
  readonly findings: readonly ScanFinding[]
  readonly isFlagged: boolean
}

const ROUNDS = 3

export function evaluateScanner(
  rows: readonly LabelledRow[],
  tools: readonly VendorTool[],
  now: () => number,
): ScannerResults {
  const judged = rows.map(row => judge(row, scanTool(row.definition, row.context)))
  const vendors = tools.map(tool => judge(tool, scanTool(tool.definition)))
  const malicious = judged.filter(({ row }) => row.isMalicious)
  const benign = judged.filter(({ row }) => !row.isMalicious)
  const hits = count(malicious)
  const alarms = count(benign)
  return {
    precision: hits.flagged / (hits.flagged + alarms.flagged),
    recall: hits.share,
    recallOverSources: mean(
      [...groupBy(malicious, ({ row }) => row.source).values()].map(own => count(own).share),
    ),
    falsePositives: alarms,
    kinds: [...countKinds(malicious, true), ...countKinds(benign, false)],
    vendors: count(vendors),
    misses: malicious.filter(({ isFlagged }) => !isFlagged).map(describeRow),
    falseAlarms: benign.filter(({ isFlagged }) => isFlagged).map(describeRow),
    vendorAlarms: vendors.filter(({ isFlagged }) => isFlagged).map(describeTool),
    microsecondsPerTool: measure(tools, now),
  }
}

/** The best of several rounds, because of other work on the machine. */
function measure(tools: readonly VendorTool[], now: () => number): number {
  if (tools.length === 0) return Number.NaN
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = now()
    for (const { definition } of tools) scanTool(definition)
    return ((now() - start) * 1000) / tools.length
  })
  return Math.min(...rounds)
}

function judge<T>(row: T, findings: readonly ScanFinding[]): Judged<T> {
  return { row, findings, isFlagged: isSuspicious(findings) }
}

/** An undefined ratio is NaN, shown as a dash. */
function count(judged: readonly { readonly isFlagged: boolean }[]): Count {
  const flagged = judged.filter(({ isFlagged }) => isFlagged).length
  return { flagged, rows: judged.length, share: flagged / judged.length }
}

function countKinds(judged: readonly Judged<LabelledRow>[], isMalicious: boolean): ScannerResults['kinds'] {
  const kinds = [...new Set(judged.map(({ row }) => row.kind))].sort()
  return kinds.map(kind => ({ kind, isMalicious, ...count(judged.filter(({ row }) => row.kind === kind)) }))
}

function describeRow({ row, findings }: Judged<LabelledRow>): Mistake {
  const { place, kind, definition } = row
  return {
    place,
    kind,
    name: definition.name,
    text: String(definition.description),
    rules: rulesOf(findings),
  }
}

function describeTool({ row, findings }: Judged<VendorTool>): Mistake {
  const { vendor, definition } = row
  const texts = findings.filter(({ severity }) => severity !== 'low').map(({ excerpt }) => excerpt)
  return {
    place: vendor,
    kind: 'vendor',
    name: definition.name,
    text: texts.join(' · '),
    rules: rulesOf(findings),
  }
}

function rulesOf(findings: readonly ScanFinding[]): readonly string[] {
  return [...new Set(findings.map(({ rule, severity }) => `${rule} (${severity})`))]
}
