import { Command, Option } from 'commander'
import { createReport, FORMATS, type Format } from '../lint/create-report.ts'
import { type LintOptions, lintTools } from '../lint/lint-tools.ts'
import { addToSummary, createSummary, type Summary } from '../lint/summary.ts'
import { type LocatedTool, readTools, UnreadableInput } from '../lint/tool-source.ts'
import { createPaint } from './colours.ts'
import { EXIT } from './exit-codes.ts'
import { createProgress, write } from './output.ts'

interface LintFlags {
  format: Format
  json?: boolean
  strict?: boolean
  untrusted?: boolean
  profile: LintOptions['profile']
}

const EXAMPLES = `
Reads a tools/list result, an array of tools, JSON Lines (also .gz), or an mcpb/dxt manifest; - is standard input.

Examples:
  $ hintgate lint tools.json
  $ hintgate lint manifest.json --strict
  $ hintgate lint tools.jsonl --format sarif > tools.sarif

Exit codes: 0 no errors, 1 errors found, 2 wrong usage or unreadable input.`

export function lintCommand(): Command {
  return new Command('lint')
    .description('check the annotations of tools: findings with fixes, and how much is declared')
    .argument('<file...>', 'files to check, or - for standard input')
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
    .action(async (files: string[], flags: LintFlags) => {
      process.exitCode = await lint(files, flags)
    })
}

async function lint(files: readonly string[], flags: LintFlags): Promise<number> {
  const options = {
    strict: flags.strict ?? false,
    untrusted: flags.untrusted ?? false,
    profile: flags.profile,
  }
  const report = createReport(flags.json ? 'json' : flags.format, createPaint(process.stdout, process.env))
  const summary = createSummary()
  const progress = createProgress('tools linted')
  let problem: UnreadableInput | undefined
  await write(report.start())
  try {
    for await (const tool of lintTools(readAll(files), options)) {
      await write(report.tool(tool, summary.tools))
      addToSummary(summary, tool)
      progress.update(summary.tools)
    }
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error
    problem = error
  }
  await write(report.end(summary))
  progress.done()
  if (problem !== undefined) process.stderr.write(`hintgate lint: ${problem.message}\n`)
  return problem === undefined ? exitCode(summary) : EXIT.usage
}

async function* readAll(files: readonly string[]): AsyncGenerator<LocatedTool> {
  for (const file of files) yield* readTools(file)
}

function exitCode(summary: Summary): number {
  return summary.findings.error > 0 ? EXIT.failed : EXIT.done
}
