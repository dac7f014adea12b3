import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { listJsonl, type Row, readJsonl } from './read-jsonl.ts'

async function readAll(file: string): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of readJsonl(file)) rows.push(row)
  return rows
}

it('reads plain and compressed rows, and reports the location of an invalid one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jsonl-'))
  await writeFile(join(folder, 'a.jsonl'), '{"n":1}\n\nnot json\n{"n":2}\n')
  await writeFile(join(folder, 'b.jsonl.gz'), gzipSync('{"n":3}\n'))
  await writeFile(join(folder, 'broken.jsonl.gz'), 'no archive')
  await writeFile(join(folder, 'notes.txt'), 'left alone')
  const files = await listJsonl(folder)
  expect(files).toHaveLength(3)
  const [plain, packed, broken] = await Promise.all(files.map(readAll))
  expect(plain?.map(({ kind }) => kind)).toEqual(['value', 'problem', 'value'])
  expect(plain?.[1]?.place).toBe(`${join(folder, 'a.jsonl')}:3`)
  expect(packed).toMatchObject([{ kind: 'value', value: { n: 3 } }])
  expect(broken).toMatchObject([{ kind: 'problem' }])
})
