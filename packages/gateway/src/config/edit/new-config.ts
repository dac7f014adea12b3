/** What `hintgate init` writes: everything that matters, off where it is a matter of taste, with why beside it. */
export const NEW_CONFIG = `{
  // Where agents reach the gateway; beyond this machine it needs "tls" or "behindProxy".
  "listen": "127.0.0.1:4428",

  // New and changed tools wait until somebody has seen them: hintgate tools review, hintgate tools approve.
  "quarantine": true,

  // Which calls ask a person first: never or always. The user of a client may answer for it, unless "channel": "person".
  "confirm": { "read": "never", "write": "never", "destructive": "always" },

  // The servers behind the gateway. hintgate import takes them over from your clients; hintgate servers add adds one:
  //   "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] }
  //   "crm": { "url": "https://crm.example/mcp", "headers": { "Authorization": "Bearer \${env:CRM}" } }
  "mcpServers": {}
}
`
