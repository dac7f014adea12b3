import { expect, it } from 'vitest'
import type { CatalogTool } from '../../../catalog/catalog.ts'
import type { Caller } from '../../../exchange/exchange.ts'
import { UI_EXTENSION } from '../../../protocol/apps.ts'
import { UiAddresses } from './address.ts'
import { callsForApps } from './app-calls.ts'

const CALLER = {
  principal: { scope: { servers: ['*'], permissions: ['call_tool_read'] } },
  envelope: { capabilities: { extensions: { [UI_EXTENSION]: {} } } },
} as unknown as Caller

const toolOf = (server: string, name: string, visibility: readonly string[]): CatalogTool =>
  ({
    server,
    name,
    definition: { name, _meta: { ui: { resourceUri: `ui://${server}/app`, visibility } } },
    assessment: { variant: 'call_tool_read' },
  }) as unknown as CatalogTool

const A = [toolOf('a', 'show', ['model', 'app'])]
const B = [toolOf('b', 'wipe', ['app']), toolOf('b', 'look', ['model', 'app'])]

/** The names for apps, with `a` in one state after another. */
function namesAfter(...states: readonly { approved: typeof A; declared: typeof A }[]) {
  const apps = new UiAddresses(Buffer.alloc(32))
  const calls = states.map(a => {
    const catalog = {
      tools: (server: string) => (server === 'a' ? a.approved : B),
      declared: (server: string) => (server === 'a' ? a.declared : B).map(({ definition }) => definition),
    }
    return callsForApps({ catalog, apps }, ['a', 'b'], CALLER)
  })
  return new Map([...(calls.at(-1) ?? [])].map(([name, { asker }]) => [name, asker]))
}

const NONE = { approved: [], declared: [] }

it('offers tools that are only for apps if one server has ever had an app', () => {
  expect(namesAfter(NONE)).toEqual(
    new Map([
      ['wipe', 'app b ui://b/app'],
      ['look', 'app b ui://b/app'],
    ]),
  )
})

it.each([
  ['whose tools wait for review', [{ approved: [], declared: A }]],
  ['that has withdrawn its tools', [{ approved: A, declared: A }, NONE]],
])('does not let an open app of a server %s call tools that are only for apps', (_, states) => {
  expect(namesAfter(...states)).toEqual(new Map([['look', 'an app of a or b']]))
})
