import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { run } from '../support/processes.ts'

afterAll(cleanUp)

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const SERVER = `
import { Toolkit } from '@hintgate/toolkit'
const tool = { name: 'add', description: 'Adds.', inputSchema: { type: 'object' }, execute: () => 'ok' }
await new Toolkit({ name: 'sums', version: '1.0.0' }).tool(tool).serve()
`

it('a server with a field of another kit does not start, and the error names the field of this one', async () => {
  const server = run(process.execPath, ['--input-type=module', '-e', SERVER], { cwd: ROOT })
  expect(await server.exited).toBe(1)
  expect(server.stderr.items.join('\n')).toContain('Unknown field "inputSchema". Did you mean `input`?')
})
