// The owner's own wallet: found by EIP-6963, asked by EIP-1193. No key is ever here, nor at the server.
import { signal } from '@preact/signals'

export interface Provider {
  request(asked: { method: string; params?: unknown[] }): Promise<unknown>
}
export interface Wallet {
  info: { uuid: string; name: string; icon: string; rdns: string }
  provider: Provider
}

export const wallets = signal<Wallet[]>([])
/** The one that was chosen, and its account. */
export const held = signal<{ wallet: Wallet; from: string } | null>(null)

export function look(): void {
  addEventListener('eip6963:announceProvider', (event) => {
    const found = (event as CustomEvent<Wallet>).detail
    if (typeof found?.info?.uuid !== 'string' || typeof found.provider?.request !== 'function') return
    if (!wallets.value.some((known) => known.info.uuid === found.info.uuid)) wallets.value = [...wallets.value, found]
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
}

export async function account(wallet: Wallet): Promise<string> {
  const told = await wallet.provider.request({ method: 'eth_requestAccounts' })
  const first = Array.isArray(told) ? (told[0] as unknown) : undefined
  if (typeof first !== 'string') throw new Error('The wallet named no account.')
  return first
}

/** A signature for one chain is worth nothing on another: the wallet has to be on the Golem's. */
export async function stand(wallet: Wallet, chainId: number): Promise<void> {
  const wanted = `0x${chainId.toString(16)}`
  if (Number(await wallet.provider.request({ method: 'eth_chainId' })) === chainId) return
  await wallet.provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: wanted }] })
  if (Number(await wallet.provider.request({ method: 'eth_chainId' })) !== chainId) throw new Error(`The wallet is not on chain ${chainId}; choose that chain in it and try again.`)
}

export async function send(wallet: Wallet, from: string, sent: { to: string; data: string; value_wei: string }): Promise<string> {
  const value = `0x${BigInt(sent.value_wei).toString(16)}`
  const hash = await wallet.provider.request({ method: 'eth_sendTransaction', params: [{ from, to: sent.to, data: sent.data, value }] })
  if (typeof hash !== 'string') throw new Error('The wallet sent nothing.')
  return hash
}

/** In the words of whoever refused. */
export function words(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error && error.code === 4001) return 'The wallet was told not to sign; nothing was sent.'
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message)
  return String(error)
}
