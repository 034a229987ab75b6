/** Die Berechtigungen einer App. */
import type * as English from '../en/scopes.ts'

export const scopes: typeof English.scopes = {
  core: 'Nachweise prüfen und für Sie Nachweise erstellen',
  profile:
    'Ihre privaten Nachweise sehen und teilen, Ihre verknüpften Wallets sehen, Agenten einrichten, bekommen, was Gates Ihnen geben, und Ihre Gates sehen und ändern',
  secrets:
    'Ihre verschlüsselten Geheimnisse speichern, auflisten und widerrufen, sie Ihren Agenten geben und unbefristet teilen oder delegieren',
  offline: 'Verbunden bleiben, während Sie weg sind, bis Sie die Verbindung trennen',
}
