import { expect, it } from 'vitest'
import type { DefinitionStore, SeenDefinition, StoredDefinition } from '../store/store.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { OtherDefinitions } from './other-definitions.ts'
import { Pins } from './pins.ts'

const SERVER = { name: 's', config: { trust: 'reviewed' } } as UpstreamServer

/** Creates a store in which every stored definition is approved. */
function approvingStore() {
  const seen: SeenDefinition[] = []
  let stored: readonly StoredDefinition[] = []
  const store = {
    loadReviewed: async () => stored,
    see: async (_server: string, { definitions }: { definitions: readonly SeenDefinition[] }) =>
      void seen.push(...definitions),
  } as unknown as DefinitionStore
  const approve = (): void => {
    const review = { verdict: 'approved', by: 'ada', at: 1 } as const
    stored = seen.map(({ kind, name, ...version }) => ({
      server: 's',
      kind,
      name,
      isDisabled: false,
      versions: [{ ...version, firstSeenAt: 1, lastSeenAt: 1, review }],
    }))
  }
  return { store, approve, seen }
}

it('compares the whole instructions, not only the part that agents see', async () => {
  const { store, approve, seen } = approvingStore()
  const pins = new Pins({ store, now: () => 0, onError: () => {} })
  const others = new OtherDefinitions(pins, () => true)
  const text = 'Be careful. '.repeat(5000)
  expect(await others.approvedInstructions(SERVER, text)).toBeUndefined()
  expect(JSON.parse(seen[0]?.definition ?? '')).toEqual({ name: 'instructions', text })
  approve()
  expect(await others.approvedInstructions(SERVER, text)).toBe(text)
  expect(await others.approvedInstructions(SERVER, `${text}Or not.`)).toBeUndefined()
  expect(await others.approvedInstructions(SERVER, text)).toBe(text)
})

/** A server that answers each method with the same result. */
function serverWith(results: Readonly<Record<string, object>>): UpstreamServer {
  return {
    ...SERVER,
    starts: 1,
    config: { trust: 'reviewed', timeoutMs: 1000 },
    ready: async () => ({ capabilities: { resources: {} } }),
    handshake: { capabilities: { resources: {} } },
    send: ({ method }: { method: string }) => ({
      reply: Promise.resolve({ kind: 'answer', message: { result: results[method] ?? {} } }),
    }),
  } as unknown as UpstreamServer
}

it.each([
  ['a page', [], []],
  ['a template that a tool names as its page', ['ui://{+x}'], ['ui://{+x}']],
])('holds back other resources only for templates: %s', async (_, templates, held) => {
  const { store } = approvingStore()
  const pins = new Pins({ store, now: () => 0, onError: () => {} })
  const others = new OtherDefinitions(
    pins,
    () => true,
    () => ['ui://{+x}'],
  )
  const contents = [{ uri: 'ui://{+x}', mimeType: 'text/html;profile=mcp-app', text: '' }]
  const server = serverWith({
    'resources/templates/list': { resourceTemplates: templates.map(uriTemplate => ({ uriTemplate })) },
    'resources/read': { contents },
  })
  expect(await others.sortNames(server, 'template')).toEqual({ approved: [], held })
})
