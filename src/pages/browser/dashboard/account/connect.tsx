/** How an assistant is connected to this server: the commands of the README, with its address. */
import { apps as words } from '../../../words/en/account.ts'
import { dashboard as shared } from '../../../words/en/dashboard.ts'
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
    <Command text={addsByCommand} label={shared.copyCommand} />
    <p class="quiet">{words.claudeCode(<code>/mcp</code>)}</p>
    <h3>Cursor</h3>
    <p class="quiet">{words.inFile(<code>~/.cursor/mcp.json</code>)}</p>
    <Command text={writeConfiguration()} label={words.copyConfiguration} />
    <h3>VS Code</h3>
    <p class="quiet">{words.inFile(<code>.vscode/mcp.json</code>)}</p>
    <Command text={forVsCode} label={words.copyConfiguration} />
    <h3>{words.anyOther}</h3>
    <p class="quiet">{words.anyOtherHint}</p>
    <Command text={endpoint} label={words.copyAddress} />
  </div>
)
