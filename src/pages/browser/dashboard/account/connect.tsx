/** How an assistant is connected to this server: the commands of the README, with its address. */
import { model } from '../model.ts'
import { Command } from '../parts.tsx'

const endpoint = `${model.mcpUrl}/mcp`

export const addsByCommand = `claude mcp add --transport http proofgate ${endpoint}`

/** For hosts that are configured by a file. */
export const writeConfiguration = (more: object = {}): string =>
  JSON.stringify({ mcpServers: { proofgate: { url: endpoint, ...more } } }, null, 2)

const forVsCode = JSON.stringify({ servers: { proofgate: { type: 'http', url: endpoint } } }, null, 2)

export const Connect = () => (
  <div class="connect">
    <h3>Claude Code</h3>
    <Command text={addsByCommand} label="Copy the command" />
    <p class="quiet">
      Then type <code>/mcp</code> in a session, and choose “Authenticate”.
    </p>
    <h3>Cursor</h3>
    <p class="quiet">
      In <code>~/.cursor/mcp.json</code>:
    </p>
    <Command text={writeConfiguration()} label="Copy the configuration" />
    <h3>VS Code</h3>
    <p class="quiet">
      In <code>.vscode/mcp.json</code>:
    </p>
    <Command text={forVsCode} label="Copy the configuration" />
    <h3>Any other</h3>
    <p class="quiet">The address of the MCP endpoint. The host finds out by itself where you sign in:</p>
    <Command text={endpoint} label="Copy the address" />
  </div>
)
