import { expect, it } from 'vitest'
import type { TransportConfig } from '../config/config.ts'
import { hideOwnSecrets } from './hide-own-secrets.ts'

it('takes out what the config gave a program', () => {
  const hide = hideOwnSecrets({
    kind: 'stdio',
    command: 'serve',
    args: ['--password=ARGSECRET-77xYz', '--port=8080', './folder'],
    env: { KEY: 'ENVSECRET-Kd82hs71Lq', DEBUG: '1' },
    cwd: '/',
  })
  expect(hide('no login with ENVSECRET-Kd82hs71Lq, ARGSECRET-77xYz on 8080 in ./folder, DEBUG 1')).toBe(
    'no login with [masked], [masked] on 8080 in ./folder, DEBUG 1',
  )
  expect(hide('dsn postgres://app:hunter2xyz@db/x')).not.toContain('hunter2xyz')
})

it('takes out what the config has for a server to be reached with', () => {
  const transport: TransportConfig = {
    kind: 'http',
    url: 'https://crm.example/mcp?key=URLSECRET-5hGq8Zt1',
    headers: { authorization: 'Bearer HDRBEARER-8sd7fKJ23hs9', 'x-key': 'HDRSECRET-q7Zk29fLmXw81' },
  }
  const said =
    'HDRSECRET-q7Zk29fLmXw81 / Bearer HDRBEARER-8sd7fKJ23hs9 / HDRBEARER-8sd7fKJ23hs9 /mcp?key=URLSECRET-5hGq8Zt1'
  expect(hideOwnSecrets(transport)(said)).toBe('[masked] / [masked] / [masked] /mcp?key=[masked]')
})
