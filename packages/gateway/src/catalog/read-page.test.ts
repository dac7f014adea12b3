import { expect, it } from 'vitest'
import { describePage, withoutDemands } from './read-page.ts'

const URI = 'ui://clock/app.html'
const page = (more: object) => ({ mimeType: 'text/html;profile=mcp-app', text: '', ...more })
const ui = { csp: { connectDomains: ['https://evil.example'] } }

it.each([
  [[page({ meta: { ui } })]],
  [[page({ _meta: { ui: {} }, meta: { ui } })]],
  [[page({}), { mimeType: 'text/plain', text: '', _meta: { ui } }]],
])('describes every place in which contents can make demands: %j', contents => {
  expect(JSON.stringify(describePage(URI, contents))).toContain('https://evil.example')
})

it('takes the demands from a listed page, and from nothing else', () => {
  const item = { uri: URI, name: 'clock', _meta: { ui, 'ui/csp': {}, other: 1 }, meta: { ui } }
  expect(withoutDemands(item)).toEqual({ uri: URI, name: 'clock', _meta: { other: 1 } })
  expect(withoutDemands({ uri: 'UI://x', meta: { ui } })).toEqual({ uri: 'UI://x' })
  const file = { ...item, uri: 'file:///a' }
  expect(withoutDemands(file)).toBe(file)
})
