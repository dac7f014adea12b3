import { writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { ToolDefinition } from '@hintgate/metadata'
import { createProgress, EXIT, type Progress, paint, write } from '../terminal/output.ts'
import { type BaselineTool, readBaseline, toBaselineTool } from './baseline.ts'
import { createReport, type Format } from './create-report.ts'
import { type LintedTool, type LintOptions, lintTools } from './lint-tools.ts'
import { addToSummary, createSummary, type Report, type Summary } from './report-text.ts'
import { isLive, type LocatedTool, readTools, UnreadableInput } from './tool-source.ts'

interface LintFlags {
  format: Format
  json?: boolean
  strict?: boolean
  untrusted?: boolean
  profile: LintOptions['profile']
  config?: string
  home?: string
  header?: string[]
  baseline?: string
  writeBaseline?: string
}

export async function lint(targets: readonly string[], flags: LintFlags): Promise<number> {
  const format = flags.json ? 'json' : flags.format
  const report = createReport(format, paint)
  const summary = createSummary()
  const progress = createProgress('tools linted')
  const written: BaselineTool[] = []
  let problem: UnreadableInput | undefined
  await write(report.start())
  try {
    const options = {
      strict: flags.strict ?? false,
      untrusted: flags.untrusted ?? false,
      profile: flags.profile,
      ...(flags.baseline === undefined ? {} : { baseline: readBaseline(flags.baseline) }),
    }
    const tools = lintTools(collect(readAll(targets, flags), written), options)
    await reportTools(tools, report, summary, progress)
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error
    problem = error
  }
  // JSON and SARIF documents must be completed even after a failure. A text report is not, because "no tools" would
  // hide the real problem.
  const isUnread = problem !== undefined && summary.tools === 0
  if (!isUnread || format === 'json' || format === 'sarif') await write(report.end(summary))
  progress.done()
  if (problem !== undefined)
    process.stderr.write(`hintgate lint: ${problem.message}\n  fix: ${problem.fix}\n`)
  else if (flags.writeBaseline !== undefined) writeBaseline(flags.writeBaseline, written)
  return problem === undefined ? exitCode(summary) : EXIT.usage
}

async function reportTools(
  tools: AsyncIterable<LintedTool>,
  report: Report,
  summary: Summary,
  progress?: Progress,
): Promise<void> {
  for await (const tool of tools) {
    await write(report.tool(tool, summary.tools))
    addToSummary(summary, tool)
    progress?.update(summary.tools)
  }
}

/** Lints the tools of a server that nobody has reviewed, and returns the exit code. */
export async function lintDefinitions(
  definitions: readonly unknown[],
  { file, format }: { readonly file: string; readonly format: Format },
): Promise<number> {
  const report = createReport(format, paint)
  const summary = createSummary()
  const located = definitions.map(definition => ({ file, line: 1, server: '', definition }))
  await write(report.start())
  const tools = lintTools(Readable.from(located), { strict: false, untrusted: true, profile: 'gateway' })
  await reportTools(tools, report, summary)
  await write(report.end(summary))
  return exitCode(summary)
}

async function* readAll(targets: readonly string[], flags: LintFlags): AsyncGenerator<LocatedTool> {
  if (targets.length === 0 && flags.config === undefined) throw new UnreadableInput('no target given')
  // Imported only when needed, so that linting files starts fast.
  const live = async () => import('./live-source.ts')
  if (targets.length === 0 && flags.config !== undefined)
    yield* (await live()).readConfigured(flags.config, flags.home)
  for (const target of targets) {
    const headers = readHeaders(flags.header ?? [])
    yield* isLive(target) ? (await live()).readLive(target, { headers }) : readTools(target)
  }
}

async function* collect(
  tools: AsyncIterable<LocatedTool>,
  written: BaselineTool[],
): AsyncGenerator<LocatedTool> {
  for await (const tool of tools) {
    if (isDefinition(tool.definition)) written.push(toBaselineTool(tool.server, tool.definition))
    yield tool
  }
}

function isDefinition(value: unknown): value is ToolDefinition {
  return typeof (value as { name?: unknown } | null)?.name === 'string'
}

function writeBaseline(file: string, tools: readonly BaselineTool[]): void {
  writeFileSync(file, `${JSON.stringify({ version: 1, tools }, undefined, 2)}\n`)
  process.stderr.write(`hintgate lint: wrote ${tools.length} tools to ${file}\n`)
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map(line => {
      const [name = '', ...value] = line.split(':')
      if (name.trim() === '' || value.length === 0)
        throw new UnreadableInput(`--header ${line}: not a header`, 'write it as "Name: value"')
      return [name.trim(), value.join(':').trim()]
    }),
  )
}

function exitCode(summary: Summary): number {
  return summary.findings.error > 0 ? EXIT.failed : EXIT.done
}
