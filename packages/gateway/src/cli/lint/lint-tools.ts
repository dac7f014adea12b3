import {
  type Assessment,
  assessTool,
  type Finding,
  type Profile,
  type ToolDefinition,
} from '@hintgate/metadata'
import type { Baseline } from './baseline.ts'
import type { LocatedTool } from './tool-source.ts'

export interface LintOptions {
  /** True to assess the tools like those of an unreviewed server. Otherwise, their hints count as vouched for. */
  readonly untrusted: boolean
  /** True to treat undeclared hints and warnings as errors. */
  readonly strict: boolean
  readonly profile: Profile
  readonly baseline?: Baseline | undefined
}

export interface LintedTool extends Assessment {
  readonly file: string
  readonly line: number
}

/** Maximum number of tools that are assessed together as siblings. Longer lists are split, to limit memory. */
const MAX_SIBLINGS = 1000

export async function* lintTools(
  tools: AsyncIterable<LocatedTool>,
  options: LintOptions,
): AsyncGenerator<LintedTool> {
  let group: LocatedTool[] = []
  for await (const tool of tools) {
    const [first] = group
    const isStranger = first !== undefined && (first.server !== tool.server || first.file !== tool.file)
    if (isStranger || group.length >= MAX_SIBLINGS) {
      yield* lintGroup(group, options)
      group = []
    }
    group.push(tool)
  }
  yield* lintGroup(group, options)
  yield* lintMissing(options)
}

function* lintMissing({ baseline, profile }: LintOptions): Generator<LintedTool> {
  for (const { tool, finding } of baseline?.missing() ?? []) {
    const assessment = assessTool(tool.definition, { vouched: true, profile })
    yield { ...assessment, findings: [finding], file: 'baseline', line: 1 }
  }
}

function* lintGroup(group: readonly LocatedTool[], options: LintOptions): Generator<LintedTool> {
  const siblings = group.map(tool => tool.definition).filter(isNamed)
  const seen = new Set<string>()
  for (const { definition, file, line, server, unreadable } of group) {
    const assessment = assessTool(definition, {
      vouched: !options.untrusted,
      profile: options.profile,
      siblings,
    })
    const findings =
      unreadable === undefined
        ? [
            ...assessment.findings,
            ...checkInList(assessment, definition, seen),
            ...(isNamed(definition) ? (options.baseline?.check(server, definition) ?? []) : []),
          ]
        : [unreadableLine(unreadable)]
    seen.add(assessment.name)
    yield { ...assessment, findings: findings.map(finding => raise(finding, options)), file, line }
  }
}

function raise(finding: Finding, { strict }: LintOptions): Finding {
  const isRaised = finding.level === 'warning' || finding.code === 'flags-undeclared'
  return strict && isRaised ? { ...finding, level: 'error' } : finding
}

/** Rules that need the whole list, or that have no effect on how a tool is treated. */
export const LIST_RULES = [
  { code: 'duplicate-name', level: 'error', condition: 'two tools of one server have the same name' },
  { code: 'no-description', level: 'warning', condition: 'a tool has no description' },
  { code: 'unreadable-line', level: 'error', condition: 'a line of JSON Lines is not JSON' },
] as const

function checkInList(tool: Assessment, definition: unknown, seen: ReadonlySet<string>): Finding[] {
  const description = (definition as { description?: unknown } | null)?.description
  const isDescribed = typeof description === 'string' && description.trim() !== ''
  return [
    ...(tool.name !== '' && seen.has(tool.name) ? [DUPLICATE] : []),
    ...(isDescribed || tool.name === '' ? [] : [UNDESCRIBED]),
  ]
}

const DUPLICATE: Finding = {
  code: 'duplicate-name',
  level: 'error',
  path: 'name',
  message: 'another tool of this server has the same name',
  fix: 'Rename one of them: callers cannot tell them apart.',
}

const UNDESCRIBED: Finding = {
  code: 'no-description',
  level: 'warning',
  path: 'description',
  message: 'the tool has no description',
  fix: 'Say in one sentence what the tool does and what it changes.',
}

function unreadableLine(reason: string): Finding {
  return {
    code: 'unreadable-line',
    level: 'error',
    path: '',
    message: reason,
    fix: 'Put one JSON object on each line.',
  }
}

function isNamed(definition: unknown): definition is ToolDefinition {
  return typeof (definition as { name?: unknown } | null)?.name === 'string'
}
