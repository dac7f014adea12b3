import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { adviseOnAddress } from './run-demo.ts'

it("suggests --listen if the demo's address is in use", async () => {
  const other = createServer()
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  const address = { host: '127.0.0.1', port: (other.address() as AddressInfo).port }
  const advice = await adviseOnAddress('hintgate demo', address)
  expect(advice).toContain(`127.0.0.1:${address.port}`)
  expect(advice).toContain('hintgate demo --listen 127.0.0.1:0\n')
  await new Promise(resolve => other.close(resolve))
  expect(await adviseOnAddress('hintgate demo', address)).toBeUndefined()
})
