/** Identifies MCP Apps (SEP-1865) among the extensions that clients and servers declare. */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui'
/** The media type of the page of an app. */
export const APP_PAGE = 'text/html;profile=mcp-app'
