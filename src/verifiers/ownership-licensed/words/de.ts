/** Die deutschen Wörter von ownership-licensed. */
import type { PageWords } from '../../words.ts'

export const words: PageWords = {
  title: 'Lizenzierter Inhalt',
  lead: 'Beanspruchen Sie einen Inhalt unter einer Lizenz, die ein NFT ist.',
  says: 'Diese Wallet hat diesen Inhalt beansprucht und das NFT seiner Lizenz gehalten.',
  doesNotSay:
    'Das zeigt, dass die Wallet den Inhalt zu dieser Zeit beansprucht und das NFT der Lizenz gehalten hat. Andere können den Inhalt vorher beansprucht haben.',
  lacks: {
    what: 'Dazu braucht er eine Verbindung zu einer Blockchain, die zu Ethereum passt.',
    remedy: 'Fügen Sie einen Abschnitt [chains.<name>] mit chain = "eip155:…" und rpc hinzu.',
  },
  statement: ['beansprucht lizenzierten Inhalt'],
  names: { owner: 'Beansprucht von' },
}
