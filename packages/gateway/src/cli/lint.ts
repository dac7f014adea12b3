import { writeFileSync } from 'node:fs'
import type { ToolDefinition } from '@hintgate/metadata'
import { Command, Option } from 'commander'
import { type BaselineTool, readBaseline, toBaselineTool } from './lint/baseline.ts'
import { createReport, FORMATS, type Format } from './lint/create-report.ts'
import { type LintOptions, lintTools } from './lint/lint-tools.ts'
import { addToSummary, createSummary, type Summary } from './lint/report.ts'
import { isLive, type LocatedTool, readTools, UnreadableInput } from './lint/tool-source.ts'
import { createPaint, createProgress, EXIT, write } from './terminal/output.ts'

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

const EXAMPLES = `
Reads a tools/list result, an array of tools, JSON Lines (also .gz), or an mcpb/dxt manifest; - is standard input.
A URL or a command line is a server: it is connected to, asked for its tools, and left (and ended) again.

Examples:
  $ hintgate lint tools.json
  $ hintgate lint manifest.json --strict
  $ hintgate lint tools.jsonl --format sarif > tools.sarif
  $ hintgate lint 'npx -y @modelcontextprotocol/server-memory' --write-baseline tools.baseline.json
  $ hintgate lint https://mcp.example/mcp --baseline tools.baseline.json

Exit codes: 0 no errors, 1 errors found, 2 wrong usage or unreadable input.`

export function lintCommand(): Command {
  return new Command('lint')
    .description('check the annotations of tools: findings with fixes, and how much is declared')
    .argument('[target...]', 'files, - for standard input, URLs, or command lines in quotes')
    .option('-c, --config <file>', 'every server of a config, if no target is named')
    .option('--home <folder>', "Hintgate's own folder, for that config (default: ~/.hintgate)")
    .option('--header <name: value...>', 'sent to servers behind a URL')
    .option('--baseline <file>', 'fail when tools are not what this file says')
    .option('--write-baseline <file>', 'write down what the tools are now')
    .addOption(new Option('-f, --format <format>', 'how to report').choices(FORMATS).default('text'))
    .option('--json', 'short for --format json')
    .option('--strict', 'undeclared hints and warnings count as errors')
    .option('--untrusted', 'show what an unreviewed server gets, instead of a vouched one')
    .addOption(
      new Option('--profile <profile>', 'what undeclared means')
        .choices(['gateway', 'spec'])
        .default('gateway'),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (targets: string[], flags: LintFlags) => {
      process.exitCode = await lint(targets, flags)
    })
}

async function lint(targets: readonly string[], flags: LintFlags): Promise<number> {
  const format = flags.json ? 'json' : flags.format
  const report = createReport(format, createPaint(process.stdout, process.env))
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
    for await (const tool of lintTools(collect(readAll(targets, flags), written), options)) {
      await write(report.tool(tool, summary.tools))
      addToSummary(summary, tool)
      progress.update(summary.tools)
    }
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error
    problem = error
  }
  // Programs need the end of what was begun; to people "no tools" is not what went wrong.
  const isUnread = problem !== undefined && summary.tools === 0
  if (!isUnread || format === 'json' || format === 'sarif') await write(report.end(summary))
  progress.done()
  if (problem !== undefined)
    process.stderr.write(`hintgate lint: ${problem.message}\n  fix: ${problem.fix}\n`)
  else if (flags.writeBaseline !== undefined) writeBaseline(flags.writeBaseline, written)
  return problem === undefined ? exitCode(summary) : EXIT.usage
}

async function* readAll(targets: readonly string[], flags: LintFlags): AsyncGenerator<LocatedTool> {
  if (targets.length === 0 && flags.config === undefined)
    throw new UnreadableInput('there is nothing to check')
  // Connecting takes more than reading files, which must start fast.
  const live = async () => import('./lint/live-source.ts')
  if (targets.length === 0 && flags.config !== undefined)
    yield* (await live()).readConfigured(flags.config, flags.home)
  for (const target of targets) {
    const headers = readHeaders(flags.header ?? [])
    yield* isLive(target) ? (await live()).readLive(target, { headers }) : readTools(target)
  }
}

/** Remembers what passes by, for a baseline. */
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
  process.stderr.write(`hintgate lint: ${tools.length} tools are written down in ${file}\n`)
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map(line => {
      const [name = '', ...value] = line.split(':')
      if (name.trim() === '' || value.length === 0)
        throw new UnreadableInput(`--header ${line}: this is no header`, 'write "Name: value"')
      return [name.trim(), value.join(':').trim()]
    }),
  )
}

function exitCode(summary: Summary): number {
  return summary.findings.error > 0 ? EXIT.failed : EXIT.done
}
