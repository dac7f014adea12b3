import { expect, it } from 'vitest'
import type { TransportConfig } from '../../config/config.ts'
import { hideOwnSecrets } from './hide-own-secrets.ts'

it('masks the secrets in the config of a program', () => {
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

it('masks the secrets in the address and headers of a server', () => {
  const transport: TransportConfig = {
    kind: 'http',
    url: 'https://crm.example/mcp?key=URLSECRET-5hGq8Zt1',
    headers: { authorization: 'Bearer HDRBEARER-8sd7fKJ23hs9', 'x-key': 'HDRSECRET-q7Zk29fLmXw81' },
  }
  const said =
    'HDRSECRET-q7Zk29fLmXw81 / Bearer HDRBEARER-8sd7fKJ23hs9 / HDRBEARER-8sd7fKJ23hs9 /mcp?key=URLSECRET-5hGq8Zt1'
  expect(hideOwnSecrets(transport)(said)).toBe('[masked] / [masked] / [masked] /mcp?key=[masked]')
})

it('masks secrets of an address as sent and as decoded', () => {
  const hide = hideOwnSecrets({
    kind: 'http',
    url: 'https://user%40corp:p%2Fw0rd99@api.example/mcp/servers/k3y-in-path-99?key=aZ%2F9pq%3DKd82hs71&page=1',
    headers: {},
  })
  expect(hide('404 Cannot POST /mcp/servers/k3y-in-path-99?key=aZ%2F9pq%3DKd82hs71&page=1')).toBe(
    '404 Cannot POST /mcp/servers/[masked]?key=[masked]&page=1',
  )
  expect(hide('the key was aZ/9pq=Kd82hs71, for user@corp with p/w0rd99 or p%2Fw0rd99')).toBe(
    'the key was [masked], for [masked] with [masked] or [masked]',
  )
})

it('accepts an address with invalid encoding', () => {
  const hide = hideOwnSecrets({ kind: 'http', url: 'https://api.example/?key=Kd82hs%71%ZZ', headers: {} })
  expect(hide('bad key Kd82hs%71%ZZ')).toBe('bad key [masked]')
})

it('masks values after the name of a secret', () => {
  const hide = hideOwnSecrets({
    kind: 'stdio',
    command: 'serve',
    args: 'token command --token Kd82hs71LqPzz9 --api-key zzTop99xQ --secret --verbose --token-file secrets/token --password ./password --secret'.split(
      ' ',
    ),
    env: {},
    cwd: '/',
  })
  expect(hide('usage: serve command --token Kd82hs71LqPzz9 --api-key zzTop99xQ')).toBe(
    'usage: serve command --token [masked] --api-key [masked]',
  )
  const told = 'no --verbose, secrets/token or ./password'
  expect(hide(told)).toBe(told)
})

it('masks all arguments that are masked elsewhere', () => {
  const hide = hideOwnSecrets({
    kind: 'stdio',
    command: 'serve --key Kd82hs71',
    args: [
      '-p',
      'hunter2-short',
      '--dsn',
      'host=x password=hunter2',
      'postgres://u:hunter2-pg@db/x?sslmode=require',
    ],
    env: {},
    cwd: '/',
  })
  expect(hide('serve --key Kd82hs71 -p hunter2-short: no login with hunter2-pg, which I require')).toBe(
    'serve --key [masked] -p [masked]: no login with [masked], which I require',
  )
  expect(hide('bad dsn host=x password=hunter2')).toBe('bad dsn [masked]')
})

it('masks secrets from the environment and from files, wherever they appear', () => {
  const confided = ['hunter2 of env', 'LINE-ONE-OF-KEY\nLINE-TWO-OF-KEY\n', 'eu']
  const hide = hideOwnSecrets({ kind: 'http', url: 'https://x.example', headers: {}, confided })
  expect(hide('hunter2 of env / hunter2%20of%20env / LINE-TWO-OF-KEY in eu')).toBe(
    '[masked] / [masked] / [masked] in eu',
  )
})

it('masks secrets that a server quotes as JSON', () => {
  const secret = 'sec"ret-\\value'
  const around = { command: 'x', args: ['--password', '-"hunter22x"'], cwd: '/' }
  const hide = hideOwnSecrets({ kind: 'stdio', ...around, env: { KEY: 'k"9"-of-env' }, confided: [secret] })
  expect(hide(JSON.stringify({ got: secret, key: 'k"9"-of-env', password: '-"hunter22x"' }))).toBe(
    '{"got":"[masked]","key":"[masked]","password":"[masked]"}',
  )
})
