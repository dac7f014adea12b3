import { describe, expect, it } from 'vitest'
import { matchesTemplate } from './match-template.ts'

describe('a URI matches a template', () => {
  it.each([
    ['note://{id}', 'note://1'],
    ['note://{owner}/notes/{id}', 'note://ada/notes/1'],
    ['note://fixed', 'note://fixed'],
    ['file:///{+path}', 'file:///a/b/c'],
    ['note://x{?q,limit}', 'note://x?q=1&limit=2'],
    ['note://x{/parts*}', 'note://x/a/b'],
    ['note://{id}.json', 'note://a.json.json'],
    ['note://{id}', 'note://a%20b..c'],
  ])('%s: %s', (template, uri) => {
    expect(matchesTemplate(template, uri)).toBe(true)
  })
})

describe('a URI does not match a template', () => {
  it.each([
    ['note://{id}', 'note://secret/1'],
    ['note://{id}', 'NOTE://1'],
    ['note://{id}', 'note:/1'],
    ['note://{id}/end', 'note://1/end/more'],
    ['note://{owner}/notes/{id}', 'note://ada/notes'],
    ['note://fixed', 'note://fixed/more'],
    ['note://{id}', 'note://1?all=1'],
    ['', 'note://1'],
    ['file:///pub/{n}', 'file:///pub/..%2fsecret%2fx'],
    ['file:///pub/{n}', 'file:///pub/..%5Csecret%5Cx'],
    ['file:///pub/{n}', 'file:///pub/..%252Fsecret'],
    ['file:///pub/{n}', 'file:///pub/..\\secret'],
    ['file:///pub/{n}', 'file:///pub/..'],
    ['file:///pub/{n}/x', 'file:///pub/%2E./x'],
    ['file:///pub/{n}', 'file:///pub/.'],
  ])('%s: %s', (template, uri) => {
    expect(matchesTemplate(template, uri)).toBe(false)
  })

  it('and a hostile template takes no longer than any other', () => {
    const startedAt = process.cpuUsage()
    expect(matchesTemplate('{a}'.repeat(20_000), `${'a'.repeat(50_000)}/`)).toBe(false)
    expect(matchesTemplate(`${'{+a}x'.repeat(20_000)}y`, 'x'.repeat(50_000))).toBe(false)
    expect(process.cpuUsage(startedAt).user / 1000).toBeLessThan(5000)
  })
})
