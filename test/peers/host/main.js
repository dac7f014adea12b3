// A host of MCP Apps as a web page: the client of the SDK and the bridge of @modelcontextprotocol/ext-apps, both
// unchanged. It calls the tool that the query names, and shows the result with the tool's app, in a frame that has no
// origin and its own content policy.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  AppBridge,
  getToolUiResourceUri,
  isToolVisibilityAppOnly,
  PostMessageTransport,
} from '@modelcontextprotocol/ext-apps/app-bridge'

const info = { name: 'test-host', version: '1.0.0' }
const PAGE = 'text/html;profile=mcp-app'
const capabilities = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [PAGE] } } }
const state = document.querySelector('#state')
const query = new URLSearchParams(location.search)

async function show() {
  const client = new Client(info, { capabilities, versionNegotiation: { mode: query.get('mode') } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`/mcp-of/${query.get('server')}`, location.href)),
  )
  const { tools } = await client.listTools()
  const ofModel = tools.filter(tool => !isToolVisibilityAppOnly(tool))
  const tool = ofModel.find(({ name }) => name === query.get('tool'))
  const uri = getToolUiResourceUri(tool)
  const { contents } = await client.readResource({ uri })
  if (contents.length !== 1 || contents[0].mimeType !== PAGE) throw new Error('this is no page of an app')
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.width = '800'
  frame.height = '800'
  document.body.append(frame)
  const bridge = new AppBridge(client, info, { serverTools: {}, serverResources: {}, logging: {} })
  const initialized = new Promise(resolve => bridge.addEventListener('initialized', resolve))
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
  frame.srcdoc = contents[0].text
  await initialized
  const result = await client.callTool({ name: tool.name, arguments: {} })
  await bridge.sendToolInput({ arguments: {} })
  await bridge.sendToolResult(result)
  state.textContent = `shows ${uri} for ${ofModel.map(({ name }) => name).join(' ')}`
}

show().catch(error => {
  state.textContent = `failed: ${error.stack}`
})
