import { describe, expect, it } from 'vitest'
import { splitCommand } from './live-source.ts'

describe('a command line', () => {
  it.each([
    ['npx -y server  --port 1', ['npx', '-y', 'server', '--port', '1']],
    [`node "my server.js" 'a "b"' ''`, ['node', 'my server.js', 'a "b"', '']],
    ['say a\\ b "c\\"d" \'e\\f\'', ['say', 'a b', 'c"d', 'e\\f']],
    ['x; rm -rf $HOME', ['x;', 'rm', '-rf', '$HOME']],
    ['', []],
  ])('%s', (text, words) => {
    expect(splitCommand(text)).toEqual(words)
  })
})
