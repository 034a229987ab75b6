/** Output of documented commands that have no answer below them. */

const exact: Readonly<Record<string, RegExp>> = {
  'npm run demo': /All 13 steps worked/,
  'sh owner.sh proof.json erase':
    /"privacyLevel":"private"[^\n]*\n[^\n]*"totalCount":1[^\n]*\n[^\n]*"expiresAt":\d+[^\n]*\n[^\n]*"success":true[^\n]*\n[^\n]*"erasedCount":1/,
  'curl -s http://127.0.0.1:8787/client.js -o proofgate.mjs && node with-client.mjs':
    /^verified 0x[0-9a-f]{64}\nvalid\nA note of mine\nmay pass: true\nNOT_FOUND 404 false\ntaken back$/m,
  'npm run --silent proofgate -- verify proof.json': /VALID/,
  'node test/independent/verify-ethers.mjs proof.json': /valid/i,
  "echo '# nobody yet' > deny.txt": /^$/,
  'minisign -G -W -p proofgate.pub -s proofgate.key': /The secret key was saved as proofgate\.key/,
  'npm run --silent proofgate -- doctor': /One source does not answer as needed/,
  'npm run --silent proofgate -- doctor --json': /^\{"ok":true,"findings":\[/,
  'npm run --silent proofgate -- bundle told.tar.gz': /told\.tar\.gz holds:[\s\S]*Look into it before you send it/,
  'npm run --silent proofgate -- bundle --list': /configuration\.json[\s\S]*schema\.json/,
  'tar -xzOf told.tar.gz proofgate-support/versions.json': /"proofgate": "[\s\S]*"sqlite": "3\./,
  'npm run --silent proofgate -- gates test gates.toml': /2 cases are decided as expected/,
  'CLUB_PASSWORD=swordfish npm run --silent proofgate -- gates apply gates.toml --yes': /readers[\s\S]*club/,
  'REPORT_PASSWORD=swordfish npm run --silent proofgate -- gates apply paid.toml --yes': /report/,
  'sh fulfill.sh readers rules.json': /"value":"https:\/\/example\.com\/members"/,
  'sh fulfill.sh report rules.json': /"code":"PAYMENT_REQUIRED"/,
}

/** The first part that a command contains decides. */
const byPart: readonly (readonly [string, RegExp])[] = [
  ['check?gateId=', /"allRequiredSatisfied":true/],
  ['check?verifierIds=', /"eligible":true/],
  ['pay.sh', /"value":"swordfish"/],
  ['sh fulfill.sh ', /"value":"swordfish"/],
  ['proofgate -- sign --url', /"authenticated":true.*\n?.*"authenticated":true/],
  ["--name 'Nightly report'", /"authenticated":true.*"via":"access-key"/],
  ['/gates/preview', /"text":"Anyone who has claimed content is let in\."/],
  ['/gates/test', /"passes":false.*"code":"NO_PROOF"/],
  ['/profile/secrets', /"linked":\[\][\s\S]*"alias":"OPENAI_API_KEY"[\s\S]*"secrets":\[/],
  ['operator link', /operator\/claim#[A-Za-z0-9_-]{43}\nThere is no operator: "operator link" makes one\./],
  ['/human/providers', /^\{"success":true,"data":\[/],
  ['ageMin=18', /"eligible":false/],
  ['/oauth/authorize', /^\{"success":true\}$/],
  ['svc_context', /"sessionWallet":"0x[0-9a-f]{40}"/],
]

/** The output that a command must have. An answer that the page shows is compared besides. */
export function findExpectedOutput(code: string): RegExp | undefined {
  const command = code.trim()
  const [, part] = byPart.find(([contained]) => command.includes(contained)) ?? []
  if (exact[command] ?? part) return exact[command] ?? part
  // A command that writes the proof into a file prints nothing; a later command of the block prints it.
  if (!command.startsWith('sh claim.sh ') || /publishToHub| > \w+\.json/.test(command)) return undefined
  return new RegExp(`"success":true,"status":"verified".*"verifierId":"${command.split(' ')[2]}","verified":true`)
}

/** `doctor` finds the one address without a server. */
export const getExpectedExitCode = (code: string): number => (code.trim().endsWith(' doctor') ? 1 : 0)
