// What the server tells, as far as it is shown. Each number's unit stands in its name.
import type { Phase, Series } from './chart'

export interface FleetLine {
  name: string; agent: string | null; chain: number | null; paper: boolean; life: string; cause: string | null; phase: string | null
  tick: number | null; vitality_ppm: number | null; credits_usdc_micros: number | null; credits_last_ticks: number | null
  equity_usdc_micros: number | null; marked_usdc_micros: number | null; after_everything_usdc_micros: number | null
  ahead_usdc_micros: number | null; process: number | null; last_seen: string | null
  worth_usdc_micros: Series; liveliness_ppm: Series; error: string | null
}
export interface Fleet { home: string; golems: FleetLine[] }

export interface Profit {
  closed: number; won: number; lost: number; gain_usdc_micros: number; trips_net_usdc_micros: number; worst_usdc_micros: number
  fees_usdc_micros: number; impact_usdc_micros: number; trade_gas_usdc_micros: number; gas_usdc_micros: number
  upkeep_usdc_micros: number; net_usdc_micros: number; open_cost_usdc_micros: number; told: string
}
export interface Holding {
  put_in_usdc_micros: number; equity_usdc_micros: number; marked_usdc_micros: number; after_everything_usdc_micros: number
  held_made_usdc_micros: number; ahead_usdc_micros: number; error?: string
}
export interface Credits { llm: number; gas: number; data: number; legacy: number; spendable: number }
export interface Clocks {
  economic_ppm: number; epistemic_ppm: number; hazard_per_tick: number; survival: number; credits_last_ticks: number | null
  burn_per_day_usdc_micros: number
}
export interface Life {
  life: string; process: number | null; tick: number; phase: string; vitality_ppm: number; clocks: Clocks
  credits_usdc_micros: Credits; reserve_usdc_micros: number
  hand: null | {
    book: string; regime: string; blind: boolean; profit: Profit; price_usdc_micros: number | null; idle_usdc_micros: number | null
    predictions_open: number; barred: string | null
    pools: { pool: string; access: string | null; price_usdc_micros: number | null; symbol: string | null; at_work_usdc_micros: number; leads: string | null }[]
    positions: { id: number; pool: string; worth_usdc_micros: number; fees_usdc_micros: number }[]
  }
  holding: Holding | null
  understanding: { domain: string; of: string; unit: string; believes: number; said: number | null; came: number | null }[]
  models: string; death: string | null; last_seen: string
  grimoire: Record<string, unknown> | null
  open_effects: { kind: string; tick: number; budget_usdc_micros: number }[]
  counts: { passes: number; events: number; transactions: number; outcomes: number } | null
}
export interface Trade {
  time: string; tick: number; order: string; pool: string; result: string; moved_usdc_micros: number | null
  amount_token_units: string | null; symbol: string | null; decimals: number | null; gain_usdc_micros: number | null
  pool_fee_usdc_micros: number | null; gas_usdc_micros: number | null; net_usdc_micros: number | null
  predicted_usdc_micros: number | null; returned_usdc_micros: number | null; deviation_bps: number | null; tx: string | null; effect: string
}
export interface Logged { time: string; tick: number; words: string }
export interface Why { pool: string; words: string[] }
export interface Portrait {
  golem: string; place: string; paper: boolean; agent: string | null; vault: string | null; owner: string | null; chain_id: number | null
  life: Life; standing: { has: string[]; made: string | null; costs: string; waits: string }; why: Why[]; trades: Trade[]; log: Logged[]
}
export interface History {
  golem: string; tick: number; vitality_ppm: Series; economic_ppm: Series; epistemic_ppm: Series; survival_ppm: Series
  equity_usdc_micros: Series; held_usdc_micros: Series; price_usdc_micros: Series; spent_usdc_micros: Series; time_seconds: Series
  phases: Phase[]
}
export interface Claim {
  number: number; made: number; judged: number; about: string; moves_money: boolean; unit: string
  said: number | null; came: number | null; held: boolean | null
}
export interface Claims { golem: string; tick: number; open: number; understanding_ppm: Series; claims: Claim[] }
export interface Rule {
  name: string; pool: string; number: number; from: string; standing: string; awake: boolean; evidence: number; trips: number
  mean_return_recent_ppm: number | null; bound_of_a_loss: number; says: string; text: string
}
export interface Step { tick: number; pool: string; rule: string; number: number; change: string; evidence: number | null }
export interface Playbook {
  golem: string; tick: number; book: { book: string; rules: Rule[] }
  curves: { pool: string; rule: string; number: number; evidence_micros: Series }[]; steps: Step[]
  counsel: { version: number; tick: number | null; rules: Record<string, unknown>[] }
  versions: { version: number; tick: number; at: string; rules: number; cycle: string }[]
}
export interface Entry {
  id: string; kind: string; status: string; content: string | null; [more: string]: unknown
}
export interface Entries { golem: string; tick: number; total: number; skipped: number; entries: Entry[] }
export interface Answer { question: string; basis: string; advice: string | null; hits: { entry: Entry; [more: string]: unknown }[] }
export interface Member {
  name: string; agent: string; generation: number; life: string; born: string; credits_usdc_micros: number; capital_usdc_micros: number
  grave: null | {
    cause: string | null; ticks: number | null; died: string | null; testament: boolean; bundle: boolean; reason: string | null
    advice: null | { adjustments: { verb: string; what: string; rationale: string }[] }
  }
  testament: string | { error: string } | null; own: boolean
}
export interface Family { golem: string; lineage: string | number | null; members: Member[] }
export interface Lineage {
  lineage: string | number; block: number; holds: boolean | null
  members: { generation: number; agent: string; life: string; ticks: number; born: string; cause: string | null; testament: string | null; owner: string }[]
  checks: { ok: boolean; agent: string; name: string; detail: string }[] | null
  line: { status: string; band: string; is_better: boolean | null; score_micros: number; generations: Record<string, unknown>[] }
}
export interface Stain {
  golem: string; cause: string; at: string; block: number; ticks: number; net_usdc_micros: number; regime: string | null; excerpt: string
  warnings: string[]; own: boolean
}
export interface Market {
  golem: string; tick: number; price_usdc_micros: Series; time_seconds: Series; trades: Trade[]; stains: Stain[]
  recalled: { tick: number; pool: string; died_of: string; died: string }[]
  sensed: { tick: number; class: string; domain: string; intensity_ppm: number; confirmations: number }[]
}
export interface Clade {
  golem: string; tick: number; in_reach: number | null; shared: number; borrowed: number; regime: string | null
  wire: null | { waiting: number; sent: number; unheard: number; signs_waiting: number; breaker: string; trouble: string | null; since: string | null }
  siblings: {
    who: string; golem: string; life: string; mode: string | null; entries: number; rules: number; warnings: number; crises: number
    answers: number; died_of: string | null; last: string | null
  }[]
  air: { class: string; domain: string; intensity_ppm: number; confirmations: number }[]
}
export interface Costs {
  golem: string; tick: number; funded_usdc_micros: number; spent_usdc_micros: number; burn_per_day_usdc_micros: number
  credits_usdc_micros: Credits; reserve_usdc_micros: number; credits_last_ticks: number | null; profit: Profit | null
  purchases: null | { sources: string[]; spent_today_usdc_micros: number; per_day_usdc_micros: number; last: { host: string; amount_usdc_micros: number; state: string }[] }
  dreams_usdc_micros?: Record<string, number> | null; each_tick_usdc_micros: Series; [more: string]: unknown
}
export interface Named { address: string; name: string | null }
export interface Said { contract: string; name: string; parts: { name: string; kind: string; value: string }[] }
export interface ChainEvent { by: Named; said: Said | null; topic: string | null; block: number; time: string | null; tx: string }
export interface Transaction {
  hash: string; block: number | null; from: Named; to: Named | null; value_wei: string; of_suite: boolean; call: Said | null; input_bytes: number
  succeeded: boolean | null; gas_used: number | null; cost_wei: string | null; refusal: string | null; events: ChainEvent[]; link: string | null
}
export interface Block {
  number: number; hash: string; parent: string; time: string; gas_used: number; base_fee_wei: string; count: number; of_suite: number
  transactions: Transaction[]; link: string | null
}
export interface Explorer {
  chain_id: number; chain: string; local: boolean; link: string | null; head: number; confirmations: number
  contracts: { name: string; address: string }[]; vaults: { name: string; vault: string | null; agent: string | null; life: string }[]
  blocks: Block[]; said: ChainEvent[]
}
export interface OnChain { golem: string; link: string | null; status: Record<string, unknown> & { error?: string }; profile: Record<string, unknown> & { error?: string } }
export interface Unsigned { act: string; to: string; data: string; value_wei: string; call: Said | null }
export interface Prepared { golem: string; chain_id: number; chain: string; from: string; says: string; transactions: Unsigned[] }
export interface Undertaking {
  number: number; says: string; golem: string | null; from: string; notes: string[]; chain_id: number | null; wants: Unsigned | null
  over: boolean; error: string | null
}
