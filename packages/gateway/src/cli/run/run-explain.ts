import { readFileSync } from 'node:fs'
import { nearest } from '@hintgate/metadata'
import { pageOf } from '../../base/errors.ts'
import { showJson, showTable } from '../show/show-json.ts'
import { invalidFlag } from '../terminal/context.ts'
import type { Ending } from '../terminal/output.ts'

/** A page of docs/errors, as `npm run docs` writes it to errors.json. */
interface Page {
  readonly summary: string
  readonly text: string
}

export async function runExplain(
  code: string | undefined,
  { json = false }: { readonly json?: boolean },
): Promise<Ending> {
  const pages = readPages()
  return { out: code === undefined ? listPages(pages, json) : showPage(code, pages, json) }
}

/** Reads the pages from the package, because docs/ exists only in the repository. */
function readPages(): ReadonlyMap<string, Page> {
  const text = readFileSync(new URL('../../../errors.json', import.meta.url), 'utf8')
  return new Map(Object.entries(JSON.parse(text) as Record<string, Page>))
}

function listPages(pages: ReadonlyMap<string, Page>, json: boolean): string {
  const list = [...pages].map(([code, { summary }]) => ({ code, summary }))
  return json ? showJson(list) : showTable(list.map(({ code, summary }) => [code, summary]))
}

function showPage(code: string, pages: ReadonlyMap<string, Page>, json: boolean): string {
  const page = pages.get(code)
  if (page === undefined) throw invalidFlag('CODE', missing(code, pages))
  return json ? showJson({ code, docs: pageOf(code), ...page }) : page.text
}

function missing(code: string, pages: ReadonlyMap<string, Page>): string {
  const meant = nearest(code, pages.keys())
  const hint = meant === undefined ? 'list all codes with hintgate explain' : `did you mean ${meant}?`
  return `unknown error code ${JSON.stringify(code.slice(0, 80))}; ${hint}`
}
