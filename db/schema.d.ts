// Generated from the migrations by `node platform/db/generate-schema.ts`. Do not edit.
// Reading gives parsed values (bigint as an exact number); a json column is written as JSON text.
import type { ColumnType, Generated } from 'kysely'

export type Database = {
  access_delegation: {
    id: string
    grantor_id: string
    address: string
    address_key: string
    delegate_id: string | null
    scope: string
    created_at: ColumnType<Date, Date | string, Date | string>
    expires_at: ColumnType<Date, Date | string, Date | string>
    ended_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  account_group: {
    id: string
    name: string
    seats: number
    created_at: ColumnType<Date, Date | string, Date | string>
  }
  account_settings: {
    user_id: string
    server_location: Generated<string>
    server_id: string | null
    close_cookies: Generated<boolean>
    eidas_timestamping: Generated<boolean>
    notify_report_ready: Generated<boolean>
    notify_draft_ending: Generated<boolean>
    notify_download_reminder: Generated<boolean>
    notify_anchored: Generated<boolean>
    notify_proof_weakening: Generated<boolean>
  }
  account_statement: {
    customer_id: string
    locale: string
    lines: number
    on_day: string
    wished_at: ColumnType<Date, Date | string, Date | string>
    fault: string | null
    bytes: number | null
    sha256: string | null
    made_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  account_user: {
    id: string
    status: Generated<string>
    password_hash: string | null
    password_changed_at: ColumnType<Date, Date | string, Date | string>
    first_name: string
    last_name: string
    locale: string
    referral_code: string
    referred_by: string | null
    formula: string | null
    brand: Generated<string>
    terms_accepted_at: ColumnType<Date, Date | string, Date | string>
    created_at: ColumnType<Date, Date | string, Date | string>
    confirmed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    last_sign_in_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    suspended_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    closing_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    closing_reason: string | null
    erase_after: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    erased_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    suspended_by: string | null
    suspension_reason: string | null
    folded_name: ColumnType<string | null, never, never>
  }
  act: {
    number: number
    at: ColumnType<Date, Date | string, Date | string>
    action: string
    actor_id: string | null
    on_behalf_of: string | null
    subject_type: string | null
    subject_id: string | null
    data: ColumnType<unknown, string, string>
    previous_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    hash: ColumnType<Buffer, Uint8Array, Uint8Array>
  }
  api_key: {
    id: string
    user_id: string
    name: string
    token_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    hint: string
    scopes: string[]
    per_minute: number
    created_at: ColumnType<Date, Date | string, Date | string>
    expires_at: ColumnType<Date, Date | string, Date | string>
    last_used_on: string | null
    last_network: string | null
    told_week_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    told_day_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  api_key_pace: {
    key_id: string
    free_at: ColumnType<Date, Date | string, Date | string>
  }
  bank_account: {
    user_id: string
    type: string
    ending: string
    sealed: ColumnType<Buffer, Uint8Array, Uint8Array>
    updated_at: ColumnType<Date, Date | string, Date | string>
  }
  billing_customer: {
    id: string
    user_id: string | null
    vat_number: string | null
    vat_check: string | null
    vat_checked_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    vat_answer: ColumnType<unknown, string | null | undefined, string | null>
    credit_cents: Generated<number>
    created_at: ColumnType<Date, Date | string, Date | string>
  }
  billing_intervention: {
    id: ColumnType<number, never, never>
    customer_id: string
    invoice_id: string | null
    kind: string
    amount_cents: number | null
    reference: string | null
    reason: string
    by_user: string
    at: ColumnType<Date, Date | string, Date | string>
  }
  billing_notice: {
    id: string
    customer_id: string
    kind: string
    occasion: string
    told: ColumnType<unknown, string | undefined, string>
    created_at: ColumnType<Date, Date | string, Date | string>
    settled_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    sent: boolean | null
    subject: string | null
  }
  billing_plan: {
    id: ColumnType<number, never, never>
    plan: string
    effective_from: string
    month_cents: number | null
    year_cents: number | null
    report_cents: number | null
    timestamp_cents: number | null
    reports_per_month: number | null
    timestamps_per_month: number | null
    drafts: number
    seats: number
    added_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  billing_transition: {
    machine: string
    from_status: string
    to_status: string
  }
  bitcoin_header: {
    height: number
    source: string
    header: ColumnType<Buffer, Uint8Array, Uint8Array>
    at: ColumnType<Date, Date | string, Date | string>
  }
  capture_process: {
    owner: string
    server_id: string
    capacity: number
    status: string
    status_changed_at: ColumnType<Date, Date | string | undefined, Date | string>
    differences: ColumnType<unknown, string | null | undefined, string | null>
    started_at: ColumnType<Date, Date | string | undefined, Date | string>
    seen_at: ColumnType<Date, Date | string | undefined, Date | string>
    alive_until: ColumnType<Date, Date | string, Date | string>
    interactive_capacity: Generated<number>
  }
  capture_server: {
    id: string
    name: string
    country: string | null
    city: string | null
    kind: string
    owner_group: string | null
    manifest_sha256: string | null
    image_digest: string | null
    browser: string | null
    public_address: string | null
    asn: number | null
    network_name: string | null
    preflight_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    preflight_matched: boolean | null
    registered_at: ColumnType<Date, Date | string | undefined, Date | string>
    drained_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    outside_since: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    public_key: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
  }
  capture_server_event: {
    id: ColumnType<number, never, never>
    server_id: string
    at: ColumnType<Date, Date | string | undefined, Date | string>
    kind: string
    evidence_id: string | null
    manifest_sha256: string | null
    differences: ColumnType<unknown, string | undefined, string>
  }
  capture_server_state: {
    id: string | null
    name: string | null
    country: string | null
    city: string | null
    kind: string | null
    owner_group: string | null
    manifest_sha256: string | null
    image_digest: string | null
    browser: string | null
    public_address: string | null
    asn: number | null
    network_name: string | null
    preflight_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    preflight_matched: boolean | null
    status: string | null
    capacity: number | null
    seen_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    alive_until: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    running: number | null
    interactive_capacity: number | null
    interactive_running: number | null
    differences: ColumnType<unknown, string | null | undefined, string | null>
    drained_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    public_key: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    version: string | null
  }
  custom_plan: {
    id: ColumnType<number, never, never>
    customer_id: string
    effective_from: string
    month_cents: number | null
    year_cents: number | null
    report_cents: number | null
    timestamp_cents: number | null
    reports_per_month: number | null
    timestamps_per_month: number | null
    drafts: number
    seats: number
    added_at: ColumnType<Date, Date | string, Date | string>
  }
  dispute_pack: {
    evidence_id: string
    account_id: string
    recipient: string
    delay_days: number | null
    amount_cents: number | null
    claim_en: string
    claim_fr: string
    letter_en: string | null
    letter_fr: string | null
    kept_at: ColumnType<Date, Date | string, Date | string>
  }
  dispute_print: {
    evidence_id: string
    locale: string
    digest: string
    day: string
    pdf: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    fault: Generated<boolean>
    asked_at: ColumnType<Date, Date | string, Date | string>
  }
  document: {
    id: string
    owner_id: string
    group_id: string | null
    created_by: string
    api_key: string | null
    client_id: string | null
    batch_id: string | null
    sha256: ColumnType<Buffer, Uint8Array, Uint8Array>
    sha512: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    name: string | null
    label: Generated<string>
    description: Generated<string>
    store: boolean
    replaces: string | null
    status: string
    status_changed_at: ColumnType<Date, Date | string, Date | string>
    created_at: ColumnType<Date, Date | string, Date | string>
    sealed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    expires_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    reminded_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    trashed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    content_deleted_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    share_nonce: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    share_hash: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    category: Generated<string>
    search_text: Generated<string>
    name_key: string | null
    version: Generated<number>
    payment_id: string | null
  }
  document_batch: {
    id: string
    owner_id: string
    state: Generated<string>
    size: number
    outside_stamps: boolean
    blind: ColumnType<Buffer, Uint8Array, Uint8Array>
    created_at: ColumnType<Date, Date | string, Date | string>
    give_up_at: ColumnType<Date, Date | string, Date | string>
    attempts: Generated<number>
    failure: string | null
    root: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    summary: ColumnType<unknown, string | null | undefined, string | null>
    sealed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    anchored_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    anchor_id: string | null
    chainpoint: Generated<boolean>
    pending: ColumnType<unknown, string | undefined, string>
    ask_again_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    asked_again: Generated<number>
    stamped_until: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    renew_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    assessed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    warned_until: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    warned_ended: boolean | null
    warned_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  document_batch_file: {
    batch_id: string
    name: string
    media_type: string
    data: ColumnType<Buffer, Uint8Array, Uint8Array>
  }
  document_batch_renewal: {
    batch_id: string
    file: string
    number: number
    renewal_id: string
    path: ColumnType<Buffer, Uint8Array, Uint8Array>
  }
  document_certificate: {
    document_id: string
    locale: string
    edition: number
    anchored: boolean
    says: string
    bytes: number
    sha256: string
    made_at: ColumnType<Date, Date | string, Date | string>
  }
  document_copy: {
    id: string
    document_id: string | null
    owner_id: string
    state: string
    bytes: number
    sealed_key: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    begun_at: ColumnType<Date, Date | string, Date | string>
    touched_at: ColumnType<Date, Date | string, Date | string>
    stored_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    kept_until: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    ended_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    ended_by: string | null
    found_sha256: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    unopened_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    compared_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    compared_bytes: number | null
    reminded_days: number | null
    reminded_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  document_copy_part: {
    copy_id: string
    part: number
    blob: string
    at: number
    bytes: number
  }
  document_notification: {
    id: string
    user_id: string
    owner_id: string
    kind: string
    occasion: string
    created_at: ColumnType<Date, Date | string, Date | string>
    settled_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    sent: boolean | null
  }
  document_path: {
    document_id: string
    path: ColumnType<Buffer, Uint8Array, Uint8Array>
  }
  document_renewal: {
    id: string
    token: ColumnType<Buffer, Uint8Array, Uint8Array>
    ca: ColumnType<Buffer, Uint8Array, Uint8Array>
    authority: string
    gen_time: ColumnType<Date, Date | string, Date | string>
    serial: string
    embedded: boolean
  }
  document_tally: {
    owner_id: string
    group_id: string | null
    category: string
    sealed: boolean
    month: string
    change: number
    folded: Generated<boolean>
  }
  document_transition: {
    from_status: string
    to_status: string
  }
  earning: {
    id: string
    user_id: string
    source: string
    subject_id: string
    invoice_id: string
    line: number
    base_cents: number
    rate: number
    amount_cents: number
    standing_cents: number
    booked_cents: Generated<number>
    earned_on: string
    matures_on: string
    matured_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    created_at: ColumnType<Date, Date | string, Date | string>
  }
  email_address: {
    id: string
    user_id: string
    address: string
    address_key: string
    is_primary: Generated<boolean>
    verified_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    created_at: ColumnType<Date, Date | string, Date | string>
  }
  evidence: {
    id: string
    token_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    action: string
    requested_url: string
    locale: string
    status: string
    status_changed_at: ColumnType<Date, Date | string, Date | string>
    created_at: ColumnType<Date, Date | string, Date | string>
    captured_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    finalized_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    expires_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    attempts: Generated<number>
    lease_owner: string | null
    lease_until: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    fence: Generated<number>
    progress: ColumnType<unknown, string | null | undefined, string | null>
    failure: ColumnType<unknown, string | null | undefined, string | null>
    facts: ColumnType<unknown, string | null | undefined, string | null>
    replaced_by: string | null
    version: Generated<number>
    asked_server: string | null
    server_id: string | null
    queued_at: ColumnType<Date, Date | string | undefined, Date | string>
    scenario: string | null
    close_cookies: Generated<boolean>
    scenario_recipe: string | null
    scenario_input: ColumnType<unknown, string | null | undefined, string | null>
    anchored_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    device: Generated<string>
    asker: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    owner_id: string | null
    group_id: string | null
    created_by: string | null
    claimed_by: string | null
    claimed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    pending_owner: string | null
    label: Generated<string>
    trashed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    content_deleted_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    category: Generated<string>
    search_text: Generated<string>
    store: Generated<boolean>
    unstored_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    keep_files_until: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    downloaded_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    outside_stamps: Generated<boolean>
    lane: Generated<string>
    turn: Generated<number>
    begun_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    target_host: Generated<string>
    target_slot: number | null
    asker_country: string | null
    sale: Generated<string>
    origin: ColumnType<unknown, string | null | undefined, string | null>
  }
  evidence_anchor: {
    evidence_id: string
    anchor_id: string
    height: number
    block_hash: string
    block_time: ColumnType<Date, Date | string, Date | string>
    header_sources: string[]
  }
  evidence_file: {
    evidence_id: string
    path: string
    section: string
    role: string | null
    media_type: string
    bytes: number
    sha256: string
    crc32: number
    position: number
  }
  evidence_tally: {
    owner_id: string
    group_id: string | null
    category: string
    sealed: boolean
    month: string
    change: number
    folded: Generated<boolean>
  }
  evidence_transition: {
    from_status: string
    to_status: string
  }
  evidence_vantage: {
    evidence_id: string
    asked_server: string | null
    server_id: string | null
    status: Generated<string>
    lease_owner: string | null
    lease_until: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    fence: Generated<number>
    first_ready_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    second_ready_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    first_left_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    second_left_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    failure: string | null
    facts: ColumnType<unknown, string | null | undefined, string | null>
    files: ColumnType<unknown, string | null | undefined, string | null>
  }
  group_invitation: {
    id: string
    group_id: string
    invited_by: string | null
    address: string
    address_key: string
    role: string
    token_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    created_at: ColumnType<Date, Date | string, Date | string>
    expires_at: ColumnType<Date, Date | string, Date | string>
    ended_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  group_member: {
    user_id: string
    group_id: string
    role: string
    joined_at: ColumnType<Date, Date | string, Date | string>
  }
  identity_decision: {
    id: string
    user_id: string
    round: number
    decided_by: string
    decided_at: ColumnType<Date, Date | string, Date | string>
    outcome: string
    final: boolean
    note: string | null
    missing: Generated<string[]>
  }
  identity_document: {
    id: string
    user_id: string
    kind: string
    version: number
    state: Generated<string>
    media_type: string
    bytes: number
    blob: string
    uploaded_at: ColumnType<Date, Date | string, Date | string>
    decided_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    reason: string | null
    note: string | null
    expires_on: string | null
    erased_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    typed: ColumnType<unknown, string | null | undefined, string | null>
  }
  identity_file: {
    user_id: string
    state: Generated<string>
    sealed_key: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    round: Generated<number>
    submitted_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    decided_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    note: string | null
    asked: Generated<string[]>
    typed: ColumnType<unknown, string | null | undefined, string | null>
    claimed_by: string | null
    claimed_until: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    agreed_by: string | null
    touched_at: ColumnType<Date, Date | string, Date | string>
    uploads: Generated<number>
    uploads_since: ColumnType<Date, Date | string, Date | string>
    stands_since: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    stands_typed: ColumnType<unknown, string | null | undefined, string | null>
    ends_on: string | null
    reminded: Generated<number>
  }
  identity_page: {
    document_id: string
    number: number
    media_type: string
    width: number
    height: number
    blob: string
  }
  identity_verdict: {
    decision_id: string
    document_id: string
    outcome: string
    reason: string | null
    note: string | null
    expires_on: string | null
  }
  instalment: {
    id: string
    customer_id: string
    subscription_id: string | null
    invoice_id: string | null
    part: number
    parts: number
    plan: string | null
    cycle: string | null
    period_from: string | null
    covers_from: string | null
    covers_to: string | null
    vat_treatment: string
    vat_rate: number
    net_cents: number
    vat_cents: number
    to_pay_cents: number
    of_change: Generated<boolean>
    status: string
    status_changed_at: ColumnType<Date, Date | string, Date | string>
    due_on: string | null
    failures: Generated<number>
    next_attempt_on: string | null
    kept_cents: Generated<number>
  }
  invoice: {
    id: string
    customer_id: string
    subscription_id: string | null
    kind: string
    category: string
    status: string
    settlement: Generated<string>
    credits: string | null
    covers_from: string | null
    covers_to: string | null
    vat_treatment: string
    vat_rate: number
    net_cents: number
    vat_cents: number
    gross_cents: number
    credit_used_cents: Generated<number>
    created_at: ColumnType<Date, Date | string, Date | string>
    series: string | null
    number: number | null
    issued_on: string | null
    due_on: string | null
    issued_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    content: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    sha256: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
  }
  invoice_buyer: {
    invoice_id: string
    salt: ColumnType<Buffer, Uint8Array, Uint8Array>
    buyer: ColumnType<unknown, string, string>
  }
  invoice_document: {
    invoice_id: string
    locale: string
    wished_at: ColumnType<Date, Date | string, Date | string>
    said: ColumnType<unknown, string | null | undefined, string | null>
    fault: string | null
    bytes: number | null
    sha256: string | null
    made_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  invoice_line: {
    invoice_id: string
    position: number
    item: string
    plan: string | null
    cycle: string | null
    part: number | null
    parts: number | null
    covers_from: string | null
    covers_to: string | null
    quantity: number
    unit_cents: number
    net_cents: number
    vat_rate: number
    vat_cents: number
  }
  journal_entry: {
    id: string
    journal: string
    year: number
    number: number
    on_day: string
    customer_id: string | null
    invoice_id: string | null
    attempt_id: string | null
    kind: string
    created_at: ColumnType<Date, Date | string, Date | string>
  }
  journal_posting: {
    entry_id: string
    position: number
    account: string
    customer_id: string | null
    debit_cents: number
    credit_cents: number
  }
  known_origin: {
    user_id: string
    key: ColumnType<Buffer, Uint8Array, Uint8Array>
    seen_at: ColumnType<Date, Date | string, Date | string>
  }
  license: {
    id: string
    offer_id: string
    seller_id: string
    buyer_id: string
    status: string
    email: string
    first_name: string
    last_name: string
    company: string
    net_cents: number
    fee_rate: number
    fee_cents: number
    invoice_id: string | null
    terms: string
    waived_at: ColumnType<Date, Date | string, Date | string>
    number: string | null
    nonce: ColumnType<Buffer, Uint8Array, Uint8Array>
    code_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    reason: string | null
    created_at: ColumnType<Date, Date | string, Date | string>
    paid_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    active_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    ended_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    licensor: string | null
  }
  license_document: {
    license_id: string
    locale: string
    sha256: string
    bytes: number
    made_at: ColumnType<Date, Date | string, Date | string>
  }
  license_offer: {
    id: string
    seller_id: string
    created_by: string
    status: string
    price_cents: number
    description: string
    most: number | null
    nonce: ColumnType<Buffer, Uint8Array, Uint8Array>
    token_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    personal_data_reviewed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    created_at: ColumnType<Date, Date | string, Date | string>
    opened_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    stopped_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  license_offer_report: {
    offer_id: string
    position: number
    evidence_id: string
  }
  license_report: {
    license_id: string
    position: number
    evidence_id: string
    page_url: string
    captured_at: ColumnType<Date, Date | string, Date | string>
    root: string
  }
  license_series: {
    year: number
    last: number
  }
  licensing_transition: {
    machine: string
    from_status: string
    to_status: string
  }
  live_hand_off: {
    evidence_id: string
    code_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    sealed_token: string
    expires_at: ColumnType<Date, Date | string, Date | string>
  }
  live_session: {
    evidence_id: string
    fence: number
    address: string
    key: ColumnType<Buffer, Uint8Array, Uint8Array>
    session_ms: number
    opened_at: ColumnType<Date, Date | string | undefined, Date | string>
  }
  live_witness: {
    id: string
    evidence_id: string
    label: string
    token_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
    revoked_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    invited_by: string | null
    invited_with: string | null
  }
  log_anchor: {
    id: string
    way: string
    tree_size: number
    tree_root: ColumnType<Buffer, Uint8Array, Uint8Array>
    note_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    commitment: ColumnType<Buffer, Uint8Array, Uint8Array>
    status: string
    created_at: ColumnType<Date, Date | string, Date | string>
    version: Generated<number>
    failures: Generated<number>
    next_try_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    promise: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    transactions: ColumnType<unknown, string | undefined, string>
    proof: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    height: number | null
    block_hash: string | null
    header: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    header_sources: string[] | null
    block_time: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    mined_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    confirmed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  log_anchor_event: {
    id: ColumnType<number, never, never>
    anchor_id: string
    at: ColumnType<Date, Date | string, Date | string>
    kind: string
    data: ColumnType<unknown, string | undefined, string>
  }
  log_checkpoint: {
    size: number
    root_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    note: ColumnType<Buffer, Uint8Array, Uint8Array>
    at: ColumnType<Date, Date | string, Date | string>
  }
  log_checkpoint_stamp: {
    size: number
    number: number
    response: ColumnType<Buffer, Uint8Array, Uint8Array>
    authority: string
    gen_time: ColumnType<Date, Date | string, Date | string>
  }
  log_cosignature: {
    size: number
    name: string
    key_id: ColumnType<Buffer, Uint8Array, Uint8Array>
    signature: ColumnType<Buffer, Uint8Array, Uint8Array>
    cosigned_at: ColumnType<Date, Date | string, Date | string>
  }
  log_head: {
    one: Generated<boolean>
    origin: string | null
    size: Generated<number>
    frontier: ColumnType<Buffer, Uint8Array | undefined, Uint8Array>
  }
  log_leaf: {
    index: number
    entry: ColumnType<Buffer, Uint8Array, Uint8Array>
    leaf_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    at: ColumnType<Date, Date | string, Date | string>
  }
  log_root: {
    root: ColumnType<Buffer, Uint8Array, Uint8Array>
    salt: ColumnType<Buffer, Uint8Array, Uint8Array>
    index: number
    logged_at: ColumnType<Date, Date | string, Date | string>
  }
  log_subtree: {
    level: number
    index: number
    hash: ColumnType<Buffer, Uint8Array, Uint8Array>
  }
  log_witness: {
    name: string
    asked_at: ColumnType<Date, Date | string, Date | string>
    answer: string
    size: Generated<number>
  }
  mail_request: {
    id: string
    purpose: string
    address_key: string
    claim: string | null
    asked_at: ColumnType<Date, Date | string, Date | string>
  }
  mailed_token: {
    id: string
    user_id: string
    purpose: string
    email_id: string | null
    token_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    code_hash: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    attempts: Generated<number>
    created_at: ColumnType<Date, Date | string, Date | string>
    expires_at: ColumnType<Date, Date | string, Date | string>
    used_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  newsletter_subscription: {
    id: string
    address: string
    address_key: string
    locale: string
    asked_at: ColumnType<Date, Date | string, Date | string>
    asked_words: string
    confirmed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  notification: {
    id: string
    user_id: string
    evidence_id: string
    kind: string
    occasion: Generated<string>
    created_at: ColumnType<Date, Date | string, Date | string>
    settled_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    sent: boolean | null
  }
  number_series: {
    series: string
    last_number: Generated<number>
    last_on: string
    last_sha256: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
  }
  outrun_proof: {
    id: string
    token_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    code_hash: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    attempts: Generated<number>
    claim: string
    email_id: string
    expires_at: ColumnType<Date, Date | string, Date | string>
  }
  payment_attempt: {
    id: string
    instalment_id: string
    status: string
    amount_cents: number
    channel: string
    idempotency_key: string
    reference: string | null
    failure: string | null
    created_at: ColumnType<Date, Date | string, Date | string>
    settled_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    realm: string | null
    means: string | null
    card_id: string | null
    series_id: string | null
    mandate_id: string | null
    present: ColumnType<unknown, string | null | undefined, string | null>
    redirect_url: string | null
    expected_on: string | null
    failure_code: string | null
    reversed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    ask_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    asked: Generated<number>
    last_asked_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    referral_manager: string | null
    taken_cents: Generated<number>
    fee_cents: Generated<number>
    surplus_cents: Generated<number>
  }
  payment_card: {
    id: string
    customer_id: string
    realm: string
    status: string
    registration: string
    handed: ColumnType<unknown, string | null | undefined, string | null>
    reference: string | null
    alias: string | null
    expires_on: string | null
    created_at: ColumnType<Date, Date | string, Date | string>
    told_ended: Generated<boolean>
  }
  payment_customer: {
    customer_id: string
    realm: string
    idempotency_key: string
    asked_at: ColumnType<Date, Date | string, Date | string>
    reference: string | null
    renewed_by: string | null
    series_id: string | null
  }
  payment_mandate: {
    id: string
    customer_id: string
    realm: string
    status: string
    account_key: string
    mandate_key: string
    account_reference: string | null
    reference: string | null
    bank_reference: string | null
    redirect_url: string | null
    told_ended: Generated<boolean>
    created_at: ColumnType<Date, Date | string, Date | string>
  }
  payment_reconciled: {
    realm: string
    until: ColumnType<Date, Date | string, Date | string>
  }
  payment_series: {
    id: string
    customer_id: string
    realm: string
    card_id: string
    idempotency_key: string
    amount_cents: number
    reference: string | null
    created_at: ColumnType<Date, Date | string, Date | string>
  }
  payout: {
    id: string
    user_id: string
    month: string
    status: string
    net_cents: number
    vat_treatment: string
    vat_cents: number
    gross_cents: number
    realm: string
    reference_text: string
    grant_key: string
    payout_key: string
    held_cents: Generated<number>
    granted_cents: Generated<number>
    grant_reference: string | null
    reference: string | null
    failure: string | null
    failure_code: string | null
    asked: Generated<number>
    ask_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    created_at: ColumnType<Date, Date | string, Date | string>
    settled_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    returned_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    payee: ColumnType<unknown, string | null | undefined, string | null>
    payee_salt: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
  }
  payout_document: {
    id: string
    user_id: string
    realm: string
    document_id: string | null
    kind: string
    idempotency_key: string
    reference: string | null
    state: string
    refusal: string | null
    created_at: ColumnType<Date, Date | string, Date | string>
  }
  payout_invoice: {
    payout_id: string
    kind: string
    series: string
    number: number
    issued_on: string
    issued_at: ColumnType<Date, Date | string, Date | string>
    content: ColumnType<Buffer, Uint8Array, Uint8Array>
    sha256: ColumnType<Buffer, Uint8Array, Uint8Array>
  }
  payout_line: {
    payout_id: string
    earning_id: string
    cents: number
  }
  payout_paper: {
    payout_id: string
    kind: string
    locale: string
    wished_at: ColumnType<Date, Date | string, Date | string>
    fault: string | null
    bytes: number | null
    sha256: string | null
    made_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  payout_payee: {
    user_id: string
    realm: string
    customer_key: string
    reference: string | null
    account_key: string
    account_mark: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    account_reference: string | null
    account_state: Generated<string>
    account_address: string | null
    identity_state: Generated<string>
    identity_refusal: string | null
    identity_address: string | null
    asked_at: ColumnType<Date, Date | string, Date | string>
  }
  payout_run: {
    month: string
    begun: number
    ended_at: ColumnType<Date, Date | string, Date | string>
  }
  payout_transition: {
    from_status: string
    to_status: string
  }
  platform_migration: {
    name: string
    sha256: string
    applied_at: ColumnType<Date, Date | string | undefined, Date | string>
    needs: string | null
  }
  preview_count: {
    asker: ColumnType<Buffer, Uint8Array, Uint8Array>
    hour: ColumnType<Date, Date | string, Date | string>
    previews: number
  }
  profile: {
    user_id: string
    user_type: string | null
    civility: string | null
    birth_date: string | null
    birth_city: string | null
    birth_country: string | null
    nationality: string | null
    address: string | null
    zip: string | null
    city: string | null
    region: string | null
    country: string | null
    fixed_phone: string | null
    mobile_phone: string | null
    company_type: string | null
    company_name: string | null
    company_email: string | null
    company_number: string | null
    company_address: string | null
    representative_first_name: string | null
    representative_last_name: string | null
    sealed_owners: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    owners: Generated<number>
    updated_at: ColumnType<Date, Date | string, Date | string>
    folded_company: ColumnType<string | null, never, never>
  }
  published_keys: {
    one: Generated<boolean>
    document: string
    signature: ColumnType<Buffer, Uint8Array, Uint8Array>
    issued_at: ColumnType<Date, Date | string, Date | string>
  }
  purchase: {
    id: string
    customer_id: string
    category: string
    subject_id: string
    unit_cents: number
    quantity: number
    status: string
    invoice_id: string | null
    referral: string | null
    created_at: ColumnType<Date, Date | string, Date | string>
    status_changed_at: ColumnType<Date, Date | string, Date | string>
    month_from: string | null
    net_cents: number | null
    vat_cents: number | null
    vat_treatment: string | null
    vat_rate: number | null
  }
  purchase_spender: {
    purchase_id: string
    kind: string
    holder_id: string
  }
  quota_taken: {
    subject_id: string
    subscription_id: string
    kind: string
    month_from: string
    taken_at: ColumnType<Date, Date | string, Date | string>
  }
  quota_use: {
    subscription_id: string
    kind: string
    month_from: string
    used: number
    quota: number
  }
  recovery_code: {
    user_id: string
    code_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    used_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  refund: {
    id: string
    customer_id: string
    attempt_id: string | null
    invoice_id: string | null
    status: string
    amount_cents: number
    idempotency_key: string
    reference: string | null
    failure: string | null
    created_at: ColumnType<Date, Date | string, Date | string>
    settled_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    channel: string
    realm: string | null
    credit_note_id: string | null
    key_since: ColumnType<Date, Date | string, Date | string>
    ask_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    asked: Generated<number>
  }
  registration_invitation: {
    token_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    created_at: ColumnType<Date, Date | string, Date | string>
    expires_at: ColumnType<Date, Date | string, Date | string>
    used_by: string | null
    used_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  report_preview: {
    evidence_id: string
    language: string
    asked_at: ColumnType<Date, Date | string, Date | string>
    started_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    failed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    sha256: string | null
    bytes: number | null
    document_sha256: string | null
    document_bytes: number | null
  }
  role_process: {
    id: string
    roles: string[]
    host: string
    version: string
    server_id: string | null
    load_per_core: number | null
    started_at: ColumnType<Date, Date | string | undefined, Date | string>
    seen_at: ColumnType<Date, Date | string | undefined, Date | string>
    alive_until: ColumnType<Date, Date | string, Date | string>
  }
  sample: {
    id: string
    software: string
    facts: ColumnType<unknown, string, string>
    made_at: ColumnType<Date, Date | string, Date | string>
    locale: Generated<string>
  }
  sample_file: {
    sample_id: string
    name: string
    sha256: string
    bytes: number
  }
  seal: {
    evidence_id: string
    root: string
    summary: ColumnType<unknown, string, string>
    sealed_at: ColumnType<Date, Date | string, Date | string>
    stamped_until: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    renew_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    ask_again_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    asked_again: Generated<number>
  }
  second_factor: {
    user_id: string
    sealed_secret: ColumnType<Buffer, Uint8Array, Uint8Array>
    created_at: ColumnType<Date, Date | string, Date | string>
    confirmed_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    last_step: Generated<number>
  }
  server_invitation: {
    token_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    created_at: ColumnType<Date, Date | string | undefined, Date | string>
    expires_at: ColumnType<Date, Date | string, Date | string>
  }
  spending_limit: {
    kind: string
    holder_id: string
    ceiling_cents: number
    changed_at: ColumnType<Date, Date | string, Date | string>
  }
  spent_work: {
    id: string
    expires_at: ColumnType<Date, Date | string, Date | string>
  }
  subscription: {
    id: string
    customer_id: string
    status: string
    plan: Generated<string>
    cycle: string | null
    instalments: number | null
    anchored_on: string | null
    months_before: Generated<number>
    period_from: string | null
    period_to: string | null
    pending_kind: string | null
    pending_plan: string | null
    pending_cycle: string | null
    pending_instalments: number | null
    pending_on: string | null
    pending_until: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    past_due_since: string | null
    wake_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    created_at: ColumnType<Date, Date | string, Date | string>
    version: Generated<number>
  }
  subscription_change: {
    id: ColumnType<number, never, never>
    subscription_id: string
    kind: string
    at: ColumnType<Date, Date | string, Date | string>
    state: ColumnType<unknown, string, string>
  }
  support_attachment: {
    id: string
    message_id: string
    place: number
    name: string
    bytes: number
    blob: string | null
    received_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  support_message: {
    id: string
    request_id: string
    author: string
    staff_id: string | null
    text: string
    created_at: ColumnType<Date, Date | string, Date | string>
  }
  support_request: {
    id: string
    reference: string
    user_id: string | null
    name: string
    email: string
    title: string
    locale: string
    status: Generated<string>
    created_at: ColumnType<Date, Date | string, Date | string>
    changed_at: ColumnType<Date, Date | string, Date | string>
  }
  throttle: {
    key: ColumnType<Buffer, Uint8Array, Uint8Array>
    failures: number
    blocked_until: ColumnType<Date, Date | string, Date | string>
    updated_at: ColumnType<Date, Date | string, Date | string>
  }
  time_authority: {
    name: string
    checked_at: ColumnType<Date, Date | string, Date | string>
    state: string
    reason: string
    provider: string | null
    territory: string | null
  }
  tls_account: {
    directory: string
    key: ColumnType<Buffer, Uint8Array, Uint8Array>
    made_at: ColumnType<Date, Date | string, Date | string>
  }
  tls_certificate: {
    host: string
    chain: string | null
    key: ColumnType<Buffer | null, Uint8Array | null | undefined, Uint8Array | null>
    not_before: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    not_after: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
    next_at: ColumnType<Date, Date | string, Date | string>
    failures: Generated<number>
    problem: string | null
  }
  tls_challenge: {
    token: string
    answer: string
    made_at: ColumnType<Date, Date | string, Date | string>
  }
  transfer_announced: {
    payment: string
    customer: string
    idempotency_key: string
    tag: string
    cents: number
    reference: string
    direction: Generated<string>
  }
  transfer_receipt: {
    line_id: string
    payment: string | null
    line: ColumnType<unknown, string, string>
    imported_at: ColumnType<Date, Date | string, Date | string>
    noted: Generated<boolean>
  }
  trusted_list_reading: {
    id: Generated<number>
    lists: string | null
    outcomes: ColumnType<unknown, string, string>
    checked_at: ColumnType<Date, Date | string, Date | string>
    read_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  user_role: {
    user_id: string
    role: string
    granted_by: string | null
    granted_at: ColumnType<Date, Date | string, Date | string>
  }
  user_session: {
    id: string
    user_id: string
    token_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    created_at: ColumnType<Date, Date | string, Date | string>
    seen_at: ColumnType<Date, Date | string, Date | string>
    expires_at: ColumnType<Date, Date | string, Date | string>
    remembered: boolean
    browser: string
    network: string
    second_factor: Generated<boolean>
    proven_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  }
  vat_consultation: {
    id: string
    customer_id: string
    vat_number: string
    state: string
    asked_at: ColumnType<Date, Date | string, Date | string>
    consultation: string | null
    answer: ColumnType<unknown, string, string>
  }
  witnessed_log: {
    origin: string
    size: number
    root_hash: ColumnType<Buffer, Uint8Array, Uint8Array>
    note: ColumnType<Buffer, Uint8Array, Uint8Array>
    cosigned_at: ColumnType<Date, Date | string, Date | string>
  }
}
