import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  hintValues,
  readDefinition,
  resolveEffective,
  SPEC_HINTS,
  type ToolMetadata,
  type ToolRecord,
  toRecord,
  validateMetadata,
} from '@hintgate/metadata'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { anyMetadata } from '../../packages/metadata/src/test-support/arbitraries.ts'
import { cleanUp } from '../support/clean-up.ts'
import { questionOf } from '../support/confirming.ts'
import { Site, startGatewayAt, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { run } from '../support/processes.ts'
import { type Json, ModernClient } from '../support/raw-mcp.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SHOWCASE = fileURLToPath(new URL('../../examples/showcase-server.mjs', import.meta.url))

afterAll(cleanUp)

/** A toolkit with the tools of the file. */
const GENERATED = `
  import { readFileSync } from 'node:fs'
  import { Toolkit } from '@hintgate/toolkit'
  const toolkit = new Toolkit({ name: 'generated', version: '1.0.0' })
  for (const tool of JSON.parse(readFileSync(process.env.TOOLS, 'utf8')))
    toolkit.tool({ ...tool, execute: ctx => ctx.text('done') })
  await toolkit.serve()
`

/** As an author would write it for `.tool`. */
function toTool({ classification, ...rest }: ToolMetadata, at: number): Json {
  const serviceDomains = classification?.serviceDomains
  return {
    ...rest,
    ...(serviceDomains === undefined ? {} : { serviceDomains }),
    name: `t${at}`,
    description: 'One of many.',
  }
}

/** An empty list of domains equals no list. */
function recordOf(metadata: ToolMetadata): ToolRecord {
  const { serviceDomains = [], ...record } = toRecord(metadata)
  return serviceDomains.length === 0 ? record : { ...record, serviceDomains }
}

/**
 * The record as the gateway lists it, without the gateway's additions: callers see all four hints, and undeclared ones
 * with the vocabulary's defaults. Any other addition would remain and be found.
 */
function listedRecord(listed: Json, written: ToolRecord): ToolRecord {
  const { declared } = readDefinition(listed)
  const effective = hintValues(resolveEffective({ declared: written, vouched: true }))
  const isAdded = (hint: string, value: unknown): boolean =>
    SPEC_HINTS.some(name => name === hint && written.hints[name] === undefined && effective[name] === value)
  const hints = Object.entries(declared.hints).filter(([hint, value]) => !isAdded(hint, value))
  return { ...declared, hints: Object.fromEntries(hints) }
}

/** Metadata without contradictions, so that nothing of it is overridden. */
const consistent = anyMetadata.filter(metadata => {
  const record = recordOf(metadata)
  const effective = hintValues(resolveEffective({ declared: record, vouched: true }))
  const findings = validateMetadata({ ...metadata, strict: true })
  const stands = SPEC_HINTS.every(name => (record.hints[name] ?? effective[name]) === effective[name])
  return stands && !findings.some(({ level }) => level === 'error')
})

async function listThroughGateway(tools: readonly Json[]): Promise<Json[]> {
  const site = new Site({})
  const file = join(site.folder, 'tools.json')
  writeFileSync(file, JSON.stringify(tools))
  const args = ['--input-type=module', '--eval', GENERATED]
  const generated = { command: process.execPath, args, cwd: ROOT, env: { TOOLS: file }, trust: 'trusted' }
  site.configure({ mcpServers: { generated } })
  const gateway = await startGatewayAt(site)
  await gateway.says(/generated is ready/)
  const client = new ModernClient(gateway.endpoint(), await site.token())
  const { result } = await client.request('tools/list')
  await gateway.stop()
  return result?.tools as Json[]
}

describe('a toolkit behind the gateway', () => {
  it('has the same record as its author wrote', async () => {
    const toolkits = fc.array(consistent, { minLength: 40, maxLength: 60 })
    const property = fc.asyncProperty(toolkits, async metadata => {
      const listed = await listThroughGateway(metadata.map(toTool))
      const byName = new Map(listed.map(tool => [tool.name, tool]))
      for (const [at, written] of metadata.entries()) {
        const tool = byName.get(`generated__t${at}`)
        expect(tool, `t${at}`).toBeDefined()
        const { title: wanted, ...rest } = recordOf(written)
        const { title, ...record } = listedRecord(tool ?? {}, recordOf(written))
        // As in JSON, which has no −0.
        expect(record).toEqual(JSON.parse(JSON.stringify(rest)))
        // A tool without a title is listed with a readable form of its name.
        if (wanted !== undefined && wanted.trim() !== '') expect(title).toBe(wanted)
      }
      expect(listed).toHaveLength(metadata.length)
    })
    await fc.assert(property, { numRuns: 4, endOnFailure: true })
  })

  it('shows a preview of a call to the person who is asked', async () => {
    const showcase = { command: process.execPath, args: [SHOWCASE], trust: 'trusted' }
    const gateway = await startReadyGateway({
      mcpServers: { showcase },
      confirm: { write: 'always', destructive: 'always', trifecta: 'off' },
    })
    const client = new ModernClient(gateway.endpoint('showcase'), await gateway.site.token(), {
      elicitation: {},
    })
    const { message } = questionOf(await client.call('set_limit', { limit: 3 }))
    expect(message).toContain('Would change the limit from 10 to 3')
    expect(message).toContain('Set the limit to 3')
    await gateway.stop()
  })
})

describe('the manifest of a toolkit', () => {
  it('passes the linter', async () => {
    const site = new Site({})
    const manifest = join(site.folder, 'manifest.json')
    const code = `
      import { Toolkit } from '@hintgate/toolkit'
      const toolkit = new Toolkit({ name: 'files', version: '1.0.0' })
        .tool({ name: 'search_files', description: 'Search for files.', preset: 'search', execute: ctx => ctx.text('') })
        .tool({ name: 'delete_file', description: 'Delete a file.', preset: 'delete', execute: ctx => ctx.text('') })
      console.log(JSON.stringify(toolkit.manifest()))
    `
    const running = run(process.execPath, ['--input-type=module', '--eval', code], { cwd: ROOT })
    await running.exited
    writeFileSync(manifest, running.stdout.items.join('\n'))
    const { code: exit, stdout } = await hintgate(['lint', '--json', manifest])
    const report = JSON.parse(stdout) as { tools: { name: string; findings: { level: string }[] }[] }
    expect(report.tools.map(({ name }) => name)).toEqual(['search_files', 'delete_file'])
    expect(report.tools.flatMap(({ findings }) => findings).filter(({ level }) => level === 'error')).toEqual(
      [],
    )
    expect(exit).toBe(0)
  })
})
