/** The config that `hintgate init` writes: the important keys with their defaults and explanations. */
export const NEW_CONFIG = `{
  // The gateway's address. To accept connections from other machines, configure "tls" or "behindProxy".
  "listen": "127.0.0.1:4428",

  // New and changed tools are hidden from agents until you approve them: hintgate tools review, hintgate tools approve.
  "quarantine": true,

  // When calls need approval: never or always. The client's user can approve, unless you set "channel": "person".
  "confirm": { "read": "never", "write": "never", "destructive": "always" },

  // The servers behind the gateway. Use hintgate import to copy them from your clients, or hintgate servers add:
  // "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] } "crm": { "url":
  // "https://crm.example/mcp", "headers": { "Authorization": "Bearer \${env:CRM}" } }
  "mcpServers": {}
}
`
