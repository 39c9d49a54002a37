// The tables as types. Generated from database/migrations by src/platform/db/generate-tables.main.server.ts: do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** Read as ISO text, written as ISO text or Date. */
type Instant = ColumnType<string, string | Date, string | Date>;
/** Read as the parsed value, written as JSON text. */
type Json = ColumnType<unknown, string, string>;

export type AccountOverride = {
  id: Generated<number>;
  facility_id: number;
  territory_id: number;
  reason: Generated<string>;
  valid_from: string;
  valid_to: string | null;
};

export type AccountPrice = {
  id: Generated<number>;
  facility_id: number;
  item_id: number;
  currn_idx: Generated<number>;
  unit: string;
  min_qty: Generated<number>;
  price: number;
  valid_from: Generated<string>;
  valid_to: string | null;
  reference: Generated<string>;
};

export type ApiKey = {
  id: Generated<number>;
  name: string;
  prefix: string;
  secret_hash: string;
  owner_id: number;
  scopes: string[];
  calls_per_minute: Generated<number>;
  expires_on: string | null;
  created_by: number | null;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
  last_used_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  revoked_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  revoked_by: number | null;
  version: Generated<number>;
  roles: Generated<string[]>;
};

export type AppUser = {
  id: Generated<number>;
  user_name: string;
  full_name: string;
  phone: Generated<string>;
  password_hash: string | null;
  must_change_password: Generated<boolean>;
  temporary_hash: string | null;
  temporary_until: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  active: Generated<boolean>;
  gpo_tab_hidden: Generated<boolean>;
  version: Generated<number>;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
  search_text: GeneratedAlways<string | null>;
  temporary_earlier: ColumnType<unknown, string | undefined, string>;
};

export type ApprovalAbsence = {
  id: Generated<number>;
  user_id: number;
  deputy_id: number;
  from_date: string;
  to_date: string;
  version: Generated<number>;
};

export type ApprovalReminder = {
  id: Generated<number>;
  remind_after_hours: Generated<number>;
  escalate_after_hours: Generated<number>;
  version: Generated<number>;
};

export type ApprovalRequest = {
  id: Generated<number>;
  quote_id: number;
  revision: number;
  state: Generated<string>;
  requested_by: number;
  requested_at: ColumnType<string, string | Date | undefined, string | Date>;
  decided_by: number | null;
  decided_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  comment: Generated<string>;
  content_hash: string;
  rules: Json;
  figures: Json;
  decisions: ColumnType<unknown, string | undefined, string>;
  reminded_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  escalated_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  requested_by_key: number | null;
  decided_by_key: number | null;
};

export type ApprovalRule = {
  id: Generated<number>;
  position: Generated<number>;
  name: string;
  metric: string;
  operator: string;
  threshold: Generated<number>;
  filters: ColumnType<unknown, string | undefined, string>;
  role: string;
  active: Generated<boolean>;
  version: Generated<number>;
};

export type BoardChange = {
  changed_in: string;
};

export type Company = {
  id: Generated<number>;
  name: string;
  address: Generated<string>;
  phone: Generated<string>;
  email: Generated<string>;
  time_zone: Generated<string>;
  default_validity_days: Generated<number>;
  public_site_locked: Generated<boolean>;
  public_site_message: Generated<string>;
  version: Generated<number>;
  public_site_locked_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  public_site_locked_by: number | null;
  public_site_locked_until: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  logo_id: string | null;
  price_places: Generated<number>;
  show_pictures: Generated<boolean>;
};

export type CompanyLogo = {
  id: string;
  file_id: number;
  width: number;
  height: number;
};

export type ConfigurableGroup = {
  id: Generated<number>;
  model_id: number;
  position: number;
  name: string;
  hint: Generated<string>;
  min_picks: Generated<number>;
  max_picks: number | null;
};

export type ConfigurableModel = {
  id: Generated<number>;
  name: string;
  description: Generated<string>;
  class_id: number | null;
  base_item_id: number | null;
  base_unit: Generated<string>;
  active: Generated<boolean>;
  version: Generated<number>;
  changed_at: ColumnType<string, string | Date | undefined, string | Date>;
};

export type ConfigurableOption = {
  id: Generated<number>;
  group_id: number;
  position: number;
  item_id: number | null;
  label: string;
  unit: Generated<string>;
  quantity: Generated<string>;
  qty: Generated<number>;
  min_qty: Generated<number>;
  max_qty: number | null;
  from_id: number | null;
  factor: Generated<number>;
  round_up: Generated<boolean>;
};

export type ConfigurableRule = {
  id: Generated<number>;
  model_id: number;
  position: number;
  kind: string;
  option_id: number;
  other_ids: number[];
};

export type Configuration = {
  id: Generated<number>;
  quote_id: number;
  config_id: string;
  name: Generated<string>;
  source: string;
  posted_by: number | null;
  posted_by_name: string;
  posted_at: Instant;
  version: Generated<number>;
};

export type ConfiguredItem = {
  configuration_id: number;
  row_no: number;
  position: string;
  item_number: string;
  description: string;
  qty: number | null;
  unit: string;
  option_text: string;
  price: number | null;
  problem: Generated<string>;
};

export type Contact = {
  id: Generated<number>;
  facility_id: number;
  name: string;
  title: Generated<string>;
  email: Generated<string>;
  phone: Generated<string>;
};

export type ContractFile = {
  id: Generated<number>;
  contract_id: number;
  folder_id: number | null;
  name: string;
  name_key: string;
  audience: Generated<string>;
  file_id: number;
  version_no: Generated<number>;
  updated_by: number | null;
  created_by: number | null;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
  updated_at: ColumnType<string, string | Date | undefined, string | Date>;
  version: Generated<number>;
  updated_by_key: number | null;
};

export type ContractFileVersion = {
  id: Generated<number>;
  contract_file_id: number;
  version_no: number;
  file_id: number;
  uploaded_by: number | null;
  uploaded_at: ColumnType<string, string | Date | undefined, string | Date>;
  uploaded_by_key: number | null;
};

export type ContractFolder = {
  id: Generated<number>;
  contract_id: number;
  parent_id: number | null;
  name: string;
  name_key: string;
  created_by: number | null;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
  version: Generated<number>;
};

export type ContractLine = {
  id: Generated<number>;
  contract_id: number;
  item_id: number;
  unit: string;
  valid_from: string | null;
  valid_to: string | null;
  version: Generated<number>;
};

export type ContractLinePrice = {
  contract_line_id: number;
  tier_id: number;
  price: number;
  id: Generated<number>;
  valid_from: string;
  valid_to: string | null;
  version: Generated<number>;
};

export type ContractLoc = {
  id: Generated<number>;
  contract_id: number;
  tier_id: number;
  facility_id: number;
  covers_children: Generated<boolean>;
  state: Generated<string>;
  valid_from: string;
  valid_to: string | null;
  signer: Generated<string>;
  signed_on: string | null;
  file_id: number | null;
  note: Generated<string>;
  created_by: number | null;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
  state_at: ColumnType<string, string | Date | undefined, string | Date>;
  version: Generated<number>;
};

export type ContractRoster = {
  id: Generated<number>;
  contract_id: number;
  facility_id: number;
  tier_id: number | null;
  member_id: Generated<string>;
  loc_state: Generated<string>;
  valid_from: string;
  valid_to: string | null;
  covers_children: Generated<boolean>;
  excluded: Generated<boolean>;
  version: Generated<number>;
};

export type ContractTier = {
  id: Generated<number>;
  contract_id: number;
  tier_no: number;
  name: string;
  requirement: Generated<string>;
  needs_loc: Generated<boolean>;
  fallback_tier_id: number | null;
  provisional_allowed: Generated<boolean>;
  version: Generated<number>;
};

export type CrmConnection = {
  id: Generated<number>;
  address: Generated<string>;
  api_version: Generated<string>;
  method: Generated<string>;
  client_id: Generated<string>;
  user_name: Generated<string>;
  secret: Generated<string>;
  price_book: Generated<string>;
  custom_item: Generated<string>;
  keep_calls: Generated<number>;
  version: Generated<number>;
  mapping_version: Generated<number>;
  pushed_to: Generated<string>;
  calls_used: Generated<number>;
  calls_limit: Generated<number>;
  calls_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  paused_until: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  pause: Generated<string>;
  failures: Generated<number>;
  lease: Generated<string>;
  leased_until: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type CrmField = {
  id: Generated<number>;
  object: string;
  field: string;
  source: Generated<string>;
  constant: Generated<string>;
  position: number;
};

export type CrmPush = {
  id: Generated<number>;
  quote_id: number;
  what: string;
  state: Generated<string>;
  asks: Generated<number>;
  asked_at: Instant;
  asked_by: number | null;
  tries: Generated<number>;
  next_at: ColumnType<string, string | Date | undefined, string | Date>;
  crm_id: Generated<string>;
  revision: Generated<number>;
  pushed_key: Generated<string>;
  pushed_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  stage_sent: Generated<string>;
  stage_seen: Generated<string>;
  seen_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  error: Generated<string>;
  error_data: ColumnType<unknown, string | undefined, string>;
  choices: ColumnType<unknown, string | undefined, string>;
  picked: ColumnType<unknown, string | undefined, string>;
  asked_by_key: number | null;
};

export type CrmStage = {
  status_id: string;
  stage: string;
};

export type CrossReference = {
  id: Generated<number>;
  maker: Generated<string>;
  number: string;
  number_key: GeneratedAlways<string>;
  zeros: GeneratedAlways<number>;
  item_id: number;
  unit: Generated<string>;
  kind: Generated<string>;
  scope: Generated<string>;
  facility_id: number | null;
  gpo_id: number | null;
  note: Generated<string>;
  source: Generated<string>;
  confirmed: Generated<number>;
  refused: Generated<number>;
  ended: Generated<boolean>;
  made_by: number | null;
  made_by_key: number | null;
  made_at: ColumnType<string, string | Date | undefined, string | Date>;
  version: Generated<number>;
};

export type DataImport = {
  id: Generated<number>;
  kind: string;
  file_id: number;
  file_name: string;
  mapping: Json;
  options: ColumnType<unknown, string | undefined, string>;
  state: Generated<string>;
  done: Generated<number>;
  total: Generated<number>;
  tries: Generated<number>;
  step: Generated<string>;
  report: ColumnType<unknown, string | null | undefined, string | null>;
  refused_file_id: number | null;
  error: Generated<string>;
  undoable: Generated<boolean>;
  created_by: number;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
  applied_by: number | null;
  applied_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  undone_by: number | null;
  undone_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  effect: ColumnType<unknown, string | null | undefined, string | null>;
  created_by_key: number | null;
  applied_by_key: number | null;
  undone_by_key: number | null;
};

export type DataImportChange = {
  import_id: number;
  table_name: string;
  key: Json;
  before: ColumnType<unknown, string | null | undefined, string | null>;
  after: string | null;
};

export type DataImportHeading = {
  kind: string;
  heading: string;
  field: string;
  answered_at: ColumnType<string, string | Date | undefined, string | Date>;
};

export type DataImportHeld = {
  import_id: number;
  line: number;
  key: string;
  was: string;
  now: string;
  hint: Generated<string>;
  confirmed: Generated<boolean>;
  rejected: Generated<boolean>;
  applied: Generated<boolean>;
  ways: ColumnType<unknown, string | undefined, string>;
  way: Generated<string>;
  way_label: Generated<string>;
};

export type Document = {
  id: Generated<number>;
  category_id: number;
  title: string;
  language: Generated<string>;
  version: Generated<number>;
  updated_at: ColumnType<string, string | Date | undefined, string | Date>;
  search_text: GeneratedAlways<string | null>;
};

export type DocumentCategory = {
  id: Generated<number>;
  name: string;
  audience: string;
  offered: Generated<boolean>;
  version: Generated<number>;
};

export type DocumentLink = {
  id: Generated<number>;
  document_id: number;
  product_id: number | null;
  item_id: number | null;
};

export type DocumentRevision = {
  id: Generated<number>;
  document_id: number;
  label: Generated<string>;
  file_id: number;
  valid_from: string;
  valid_to: string | null;
  uploaded_by: number | null;
  uploaded_at: ColumnType<string, string | Date | undefined, string | Date>;
  uploaded_by_key: number | null;
};

export type EligibilityRequest = {
  id: Generated<number>;
  contract_id: number;
  tier_id: number;
  facility_id: number;
  state: Generated<string>;
  wanted_from: string;
  note: Generated<string>;
  requested_by: number;
  requested_at: ColumnType<string, string | Date | undefined, string | Date>;
  state_at: ColumnType<string, string | Date | undefined, string | Date>;
  reason: Generated<string>;
  decided_by: number | null;
  decided_tier_id: number | null;
  firm_from: string | null;
  version: Generated<number>;
  requested_by_key: number | null;
};

export type EligibilityRequestQuote = {
  request_id: number;
  quote_id: number;
  added_by: number;
  added_at: ColumnType<string, string | Date | undefined, string | Date>;
};

export type Facility = {
  id: Generated<number>;
  acct_no: string;
  name: string;
  parent_id: number | null;
  class_of_trade: Generated<string>;
  phone: Generated<string>;
  bill_to_line1: Generated<string>;
  bill_to_line2: Generated<string>;
  bill_to_city: Generated<string>;
  bill_to_state: Generated<string>;
  bill_to_zip: Generated<string>;
  ship_to_line1: Generated<string>;
  ship_to_line2: Generated<string>;
  ship_to_city: Generated<string>;
  ship_to_state: Generated<string>;
  ship_to_zip: Generated<string>;
  currn_idx: Generated<number>;
  price_level: Generated<string>;
  tax_exempt: Generated<boolean>;
  tax_certificate: Generated<string>;
  tax_rate: Generated<number>;
  payment_terms: Generated<string>;
  freight_terms: Generated<string>;
  active: Generated<boolean>;
  version: Generated<number>;
  merged_into: number | null;
  other_numbers: Generated<string>;
  name_key: GeneratedAlways<string | null>;
  street_key: GeneratedAlways<string | null>;
  search_text: GeneratedAlways<string | null>;
};

export type FacilityAlias = {
  id: Generated<number>;
  gpo_id: number | null;
  key: string;
  facility_id: number;
  confirmed_by: number;
  confirmed_at: ColumnType<string, string | Date | undefined, string | Date>;
};

export type FacilityApart = {
  id: Generated<number>;
  first_id: number;
  second_id: number;
  told_by: number;
  told_at: ColumnType<string, string | Date | undefined, string | Date>;
  version: Generated<number>;
  told_by_key: number | null;
};

export type FacilityIdentifier = {
  id: Generated<number>;
  facility_id: number;
  kind: string;
  gpo_id: number | null;
  value: string;
  valid_from: string | null;
  valid_to: string | null;
  version: Generated<number>;
};

export type FacilityMerge = {
  id: Generated<number>;
  kept_id: number;
  merged_id: number;
  moved: Json;
  merged_by: number;
  merged_at: ColumnType<string, string | Date | undefined, string | Date>;
  undone_by: number | null;
  undone_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  version: Generated<number>;
  merged_by_key: number | null;
  undone_by_key: number | null;
};

export type File = {
  id: Generated<number>;
  storage_key: string;
  name: string;
  media_type: string;
  size: number;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
};

export type GeoFile = {
  import_id: number;
  state: string;
  sha: string;
  packed: Uint8Array;
  zips: string;
  replaced: Generated<boolean>;
};

export type Gpo = {
  id: Generated<number>;
  name: string;
};

export type GpoContract = {
  id: Generated<number>;
  number: string;
  gpo_id: number | null;
  title: string;
  category: Generated<string>;
  award_type: Generated<string>;
  currn_idx: Generated<number>;
  effective_from: string;
  effective_to: string;
  extended_to: string | null;
  predecessor_id: number | null;
  notes: Generated<string>;
  version: Generated<number>;
  state: Generated<string>;
  terminated_on: string | null;
  open_to: Generated<string>;
  admin_fee_pct: number | null;
  price_firm_until: string | null;
  freight_terms: Generated<string>;
  payment_terms: Generated<string>;
  minimum_order: number | null;
  returns_terms: Generated<string>;
  eligibility: Generated<string>;
  contact_id: number | null;
  gpo_contact: Generated<string>;
};

export type GpoMembership = {
  id: Generated<number>;
  facility_id: number;
  gpo_id: number;
  member_id: Generated<string>;
  is_primary: Generated<boolean>;
  valid_from: string;
  valid_to: string | null;
};

export type ImportInboxFile = {
  id: Generated<number>;
  kind: string;
  name: string;
  sha256: string;
  import_id: number | null;
  state: Generated<string>;
  error: Generated<string>;
  moved_to: Generated<string>;
  taken_at: Instant;
  ended_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  again_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type ImportInboxRound = {
  id: Generated<number>;
  next_at: ColumnType<string, string | Date | undefined, string | Date>;
  problem: Generated<string>;
};

export type Installation = {
  id: Generated<number>;
  place: string;
  mail_held_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type Invitation = {
  user_id: number;
  token_hash: string;
  sent_at: ColumnType<string, string | Date | undefined, string | Date>;
  expires_at: Instant;
  used_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type Item = {
  id: Generated<number>;
  item_number: string;
  description: string;
  class_id: number | null;
  product_id: number | null;
  base_unit: Generated<string>;
  status: Generated<string>;
  cost: number | null;
  floor_price: number | null;
  last_sold: string | null;
  selling_rank: Generated<string>;
  selling_rank_num: Generated<number>;
  manufacturer: Generated<string>;
  manufacturer_no: Generated<string>;
  version: Generated<number>;
  mapping_state: Generated<string>;
  mapping_note: Generated<string>;
  mapped_by: number | null;
  mapped_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  suggested_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  product_words: Generated<string>;
  brand: Generated<string>;
  search_text: GeneratedAlways<string | null>;
  mapped_by_key: number | null;
  changed_in: Generated<string>;
};

export type ItemClass = {
  id: Generated<number>;
  name: string;
  visible_in_web_quote: Generated<boolean>;
  version: Generated<number>;
};

export type ItemIdentifier = {
  id: Generated<number>;
  item_id: number;
  kind: string;
  value: string;
  unit: Generated<string>;
  facility_id: number | null;
};

export type ItemPrice = {
  id: Generated<number>;
  item_id: number;
  currn_idx: Generated<number>;
  unit: string;
  min_qty: Generated<number>;
  price: number;
  valid_from: Generated<string>;
  valid_to: string | null;
};

export type ItemSuggestion = {
  item_id: number;
  product_id: number;
  score: number;
  reasons: string[];
};

export type ItemUnit = {
  item_id: number;
  unit: string;
  factor: number;
};

export type Mail = {
  id: Generated<number>;
  quote_id: number | null;
  recipients: string[];
  cc: Generated<string[]>;
  subject: string;
  body: string;
  attachments: ColumnType<unknown, string | undefined, string>;
  state: Generated<string>;
  message_id: string;
  tries: Generated<number>;
  last_error: Generated<string>;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
  sent_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  secret: Generated<string>;
  refused: Generated<string[]>;
  again_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  settled_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  gather_until: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  unsubscribe: Generated<string>;
};

export type NewQuoteKey = {
  user_id: number;
  client_key: string;
  quote_id: number;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
  content_hash: string | null;
};

export type Notification = {
  id: GeneratedAlways<number>;
  user_id: number;
  kind: string;
  quote_id: number | null;
  about_id: number | null;
  by_name: string;
  at: Instant;
  read_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  for_daily: Generated<boolean>;
};

export type NotificationSettings = {
  id: Generated<number>;
  ways: ColumnType<unknown, string | undefined, string>;
  version: Generated<number>;
  mailed_day: string | null;
  told_through: string | null;
};

export type NotificationWay = {
  user_id: number;
  kind: string;
  way: string;
};

export type OrderFile = {
  request_id: number;
  format: string;
  name: string;
  content: string;
  written_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  cleared_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  sha256: Generated<string>;
};

export type OrderRequest = {
  id: Generated<number>;
  quote_id: number;
  revision: number;
  key: string;
  state: Generated<string>;
  content: Json;
  requested_at: Instant;
  changed_at: Instant;
  sent_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  sent_by: Generated<string>;
  erp_order_no: Generated<string>;
  answered_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  answer_lines: ColumnType<unknown, string | undefined, string>;
  reason: Generated<string>;
  error: Generated<string>;
  next_at: ColumnType<string, string | Date | undefined, string | Date>;
  version: Generated<number>;
};

export type OrderSettings = {
  id: Generated<number>;
  files: Generated<boolean>;
  format: Generated<string>;
  sender: Generated<string>;
  receiver: Generated<string>;
  test: Generated<boolean>;
  units: ColumnType<unknown, string | undefined, string>;
  version: Generated<number>;
  paused_until: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  problem: Generated<string>;
  failures: Generated<number>;
};

export type Passkey = {
  id: GeneratedAlways<number>;
  user_id: number;
  credential_id: string;
  public_key: Uint8Array;
  counter: Generated<number>;
  transports: Generated<string[]>;
  user_handle: string;
  synced: Generated<boolean>;
  name: string;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
  last_used_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type PasskeyChallenge = {
  challenge_hash: string;
  purpose: string;
  user_id: number | null;
  user_handle: Generated<string>;
  expires_at: Instant;
};

export type Picture = {
  id: Generated<number>;
  sha256: string | null;
  name: string;
  state: Generated<string>;
  step: Generated<string>;
  problem: Generated<string>;
  match: Generated<string>;
  candidate_ids: Generated<number[]>;
  product_id: number | null;
  media_type: Generated<string>;
  size: number;
  width: number | null;
  height: number | null;
  turns: Generated<number>;
  file_id: number | null;
  thumb_file_id: number | null;
  medium_file_id: number | null;
  large_file_id: number | null;
  print_file_id: number | null;
  cloud_id: string | null;
  cloud_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  tries: Generated<number>;
  created_by: number | null;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
  state_at: ColumnType<string, string | Date | undefined, string | Date>;
  version: Generated<number>;
  created_by_key: number | null;
};

export type PictureRound = {
  name: string;
  next_at: ColumnType<string, string | Date | undefined, string | Date>;
};

export type PictureSource = {
  id: Generated<number>;
  picture_id: number;
  name: string;
  inbox_key: string | null;
  inbox_stamp: Generated<string>;
  came_at: ColumnType<string, string | Date | undefined, string | Date>;
  moved_to: Generated<string>;
};

export type PriceChange = {
  id: GeneratedAlways<number>;
  what: string;
  item_id: number | null;
  facility_id: number | null;
  contract_id: number | null;
  quote_id: number | null;
  day: string | null;
  due_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type Product = {
  id: Generated<number>;
  name: string;
  description: Generated<string>;
  brand: Generated<string>;
  product_type: Generated<string>;
  status: Generated<string>;
  version: Generated<number>;
  class_id: number | null;
  manufacturer: Generated<string>;
  manufacturer_no: Generated<string>;
  replaced_by: number | null;
  merged_into: number | null;
  updated_at: ColumnType<string, string | Date | undefined, string | Date>;
  search_text: GeneratedAlways<string | null>;
};

export type ProductDocument = {
  id: Generated<number>;
  product_id: number;
  category: string;
  title: string;
  file_id: number;
};

export type ProductImage = {
  id: Generated<number>;
  product_id: number;
  file_id: number;
  thumb_file_id: number | null;
  position: Generated<number>;
  hidden_roles: Generated<string[]>;
  picture_id: number | null;
  alt: Generated<string>;
  removed_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  version: Generated<number>;
};

export type ProductType = {
  name: string;
};

export type Promotion = {
  id: Generated<number>;
  name: Generated<string>;
  promotion_type: string;
  item_id: number;
  buy_qty: Generated<number>;
  get_qty: Generated<number>;
  amount: Generated<number>;
  min_qty: Generated<number>;
  max_qty: Generated<number>;
  uom: Generated<string>;
  currn_idx: Generated<number>;
  valid_from: string;
  valid_to: string | null;
  active: Generated<boolean>;
  version: Generated<number>;
};

export type Quote = {
  id: Generated<number>;
  num: Generated<number>;
  revision: Generated<number>;
  status_id: Generated<string>;
  revised_from: string | null;
  revised_by: number | null;
  facility_id: number | null;
  facility_name: Generated<string>;
  facility_acct_no: Generated<string>;
  bill_to: ColumnType<unknown, string | undefined, string>;
  ship_to: ColumnType<unknown, string | undefined, string>;
  contact_name: Generated<string>;
  contact_email: Generated<string>;
  phone: Generated<string>;
  owner_id: number;
  assignee_id: number | null;
  sales_rep_id: number | null;
  cs_rep_id: number | null;
  is_rep_id: number | null;
  region_id: number | null;
  territory_id: number | null;
  quote_date: string;
  valid_until: string;
  valid_until_typed: Generated<boolean>;
  currn_idx: Generated<number>;
  payment_terms: Generated<string>;
  freight_terms: Generated<string>;
  freight_amount: Generated<number>;
  tax_rate: Generated<number>;
  tax_exempt: Generated<boolean>;
  customer_reference: Generated<string>;
  po_number: Generated<string>;
  customer_message: Generated<string>;
  internal_notes: Generated<string>;
  discount_pct: Generated<number>;
  list_total: Generated<number>;
  discount_total: Generated<number>;
  subtotal: Generated<number>;
  tax_amount: Generated<number>;
  total_amount: Generated<number>;
  savings: Generated<number>;
  won_by: Generated<string>;
  lost_reason: Generated<string>;
  template_id: number | null;
  cloned_from: number | null;
  version: Generated<number>;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
  updated_at: ColumnType<string, string | Date | undefined, string | Date>;
  name_id: Generated<number>;
  fallback_total: number | null;
  discount_reason: Generated<string>;
  lost_competitor: Generated<string>;
  lost_competitor_price: number | null;
  facility_values: ColumnType<unknown, string | null | undefined, string | null>;
};

export type QuoteComment = {
  id: GeneratedAlways<number>;
  quote_id: number;
  revision: number;
  item_id: number | null;
  line: Generated<string>;
  to_customer: boolean;
  question_id: number | null;
  written_by: number;
  written_by_key: number | null;
  text: string;
  mentioned: Generated<number[]>;
  mailed_to: Generated<string[]>;
  written_at: Instant;
  edited_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  deleted_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  deleted_by: number | null;
  deleted_by_key: number | null;
  version: Generated<number>;
  search_text: GeneratedAlways<string | null>;
};

export type QuoteConfiguration = {
  quote_id: number;
  config_id: string;
  name: string;
  model_id: number;
  model_version: number;
  sets: number;
  picks: Json;
  version: Generated<number>;
  changed_by: number;
  changed_at: ColumnType<string, string | Date | undefined, string | Date>;
  changed_by_key: number | null;
};

export type QuoteEvent = {
  id: GeneratedAlways<number>;
  quote_id: number;
  at: ColumnType<string, string | Date | undefined, string | Date>;
  user_id: number | null;
  actor: string;
  action: string;
  from_status: string | null;
  to_status: string | null;
  revision: number;
  comment: Generated<string>;
  changes: ColumnType<unknown, string | undefined, string>;
  words: GeneratedAlways<string | null>;
};

export type QuoteFile = {
  id: Generated<number>;
  quote_id: number;
  file_id: number;
  visible_to_customer: Generated<boolean>;
  uploaded_by: number | null;
  uploaded_at: ColumnType<string, string | Date | undefined, string | Date>;
  removed_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  uploaded_by_key: number | null;
  shown_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type QuoteItem = {
  id: Generated<number>;
  quote_id: number;
  line_no: number;
  type: Generated<string>;
  parent_id: number | null;
  item_id: number | null;
  item_number: Generated<string>;
  description: Generated<string>;
  qty: Generated<number>;
  unit: Generated<string>;
  notes: Generated<string>;
  active: Generated<boolean>;
  optional: Generated<boolean>;
  promotion_id: number | null;
  manual_price: number | null;
  manual_discount_pct: number | null;
  manual_discount_amount: number | null;
  price_reason: Generated<string>;
  list_price: number | null;
  system_price: number | null;
  unit_price: number | null;
  discount_pct: Generated<number>;
  quote_discount: Generated<number>;
  line_total: Generated<number>;
  price_source: Generated<string>;
  price_proof: ColumnType<unknown, string | undefined, string>;
  price_problem: Generated<string>;
  cost: number | null;
  floor_price: number | null;
  contract_price: number | null;
  contract_line_id: number | null;
  price_ends: string | null;
  version: Generated<number>;
  client_key: string | null;
  eligibility_request_id: number | null;
  fallback: ColumnType<unknown, string | null | undefined, string | null>;
  configured: ColumnType<unknown, string | null | undefined, string | null>;
  price_choice: Generated<string>;
  customer_item_number: Generated<string>;
  typed_as: ColumnType<unknown, string | null | undefined, string | null>;
};

export type QuoteName = {
  id: Generated<number>;
  search_text: string;
};

export type QuoteQuestion = {
  id: GeneratedAlways<number>;
  quote_id: number;
  revision: number;
  asked_by: string;
  email: string;
  question: string;
  asked_at: Instant;
  answered_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type QuoteReminder = {
  id: GeneratedAlways<number>;
  quote_id: number;
  sending_id: number;
  days: number;
  text: string;
  set_by: number;
  set_by_key: number | null;
  version: Generated<number>;
};

export type QuoteRevision = {
  id: Generated<number>;
  quote_id: number;
  revision: number;
  doc_id: string;
  document: Json;
  content_hash: string;
  valid_until: string;
  total_amount: number;
  pdf_file_id: number | null;
  sent_at: ColumnType<string, string | Date | undefined, string | Date>;
  sent_by: number | null;
  revoked_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  superseded_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  accepted_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  declined_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  acceptance: ColumnType<unknown, string | null | undefined, string | null>;
  accepted_fallback: Generated<boolean>;
  viewed_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  sent_by_key: number | null;
  later_views: Generated<number>;
  last_viewed_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type QuoteRevisionBackup = {
  quote_id: number;
  revision: number;
  quote: Json;
  items: Json;
  saved_at: ColumnType<string, string | Date | undefined, string | Date>;
};

export type QuoteRevisionDocument = {
  id: Generated<number>;
  quote_revision_id: number;
  document_revision_id: number;
  title: string;
  category: string;
  file_id: number;
};

export type QuoteRevisionPicture = {
  quote_revision_id: number;
  file_id: number;
};

export type QuoteRisk = {
  line_id: number;
  quote_id: number;
  kind: string;
  day: string;
  contract_id: number | null;
  currn_idx: number;
  qty: number;
  unit: string;
  quoted: number | null;
  price: number | null;
  difference: Generated<number>;
  counts: Generated<boolean>;
  typed: Generated<boolean>;
  was: Generated<string>;
  now: Generated<string>;
  settled_by: number | null;
  settled_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  note: Generated<string>;
};

export type QuoteSending = {
  id: Generated<number>;
  quote_revision_id: number;
  recipients: string[];
  cc: Generated<string[]>;
  subject: string;
  body: string;
  attachments: ColumnType<unknown, string | undefined, string>;
  sent_by: number | null;
  mail_id: number | null;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
};

export type QuoteTemplate = {
  id: Generated<number>;
  name: string;
  description: Generated<string>;
  active: Generated<boolean>;
  version: Generated<number>;
  allowed_roles: Generated<string[]>;
  owner_only: Generated<boolean>;
  created_by: number | null;
  customer_message: Generated<string>;
  changed_at: ColumnType<string, string | Date | undefined, string | Date>;
  created_by_key: number | null;
};

export type QuoteTemplateItem = {
  id: Generated<number>;
  template_id: number;
  position: number;
  type: Generated<string>;
  item_id: number | null;
  description: Generated<string>;
  qty: Generated<number>;
  unit: Generated<string>;
};

export type RecordEvent = {
  id: GeneratedAlways<number>;
  record_type: string;
  record_id: number;
  record_name: string;
  at: ColumnType<string, string | Date | undefined, string | Date>;
  user_id: number | null;
  actor: string;
  action: string;
  version: number | null;
  comment: Generated<string>;
  changes: ColumnType<unknown, string | undefined, string>;
  words: GeneratedAlways<string | null>;
};

export type RecoveryCode = {
  user_id: number;
  code_hash: string;
  used_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type RefreshToken = {
  token_hash: string;
  session_id: string;
  expires_at: Instant;
  used_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type Region = {
  id: Generated<number>;
  name: string;
  active: Generated<boolean>;
  version: Generated<number>;
};

export type ReportBought = {
  contract_id: number;
  facility_id: number;
  quotes: number;
};

export type ReportClassChange = {
  id: Generated<number>;
  item_id: number;
};

export type ReportClassMonth = {
  month: string;
  currn_idx: number;
  class_id: number;
  pct: number;
  lines: number;
  quotes: number;
  leak_quotes: number;
  list: number;
  net: number;
  cost: number;
  costed: number;
  leak: number;
};

export type ReportContractMonth = {
  month: string;
  currn_idx: number;
  contract_id: number;
  tier_id: number;
  outcome: string;
  tier_quotes: number;
  contract_quotes: number;
  net: number;
};

export type ReportCountedLine = {
  line_id: number;
  quote_id: number;
  month: string;
  currn_idx: number;
  status_id: string;
  facility_id: number | null;
  item_id: number | null;
  class_id: number | null;
  contract_id: number | null;
  tier_id: number | null;
  firsts: number;
  unit: string;
  qty: number;
  list_amount: number;
  rule_amount: number | null;
  net_amount: number;
  cost_amount: number | null;
  discount: number;
  net_price: number | null;
};

export type ReportItemMonth = {
  month: string;
  currn_idx: number;
  item_id: number;
  quoted_quotes: number;
  won_quotes: number;
  lost_quotes: number;
  quoted: number;
  won: number;
  lost: number;
};

export type ReportLine = {
  line_id: number;
  quote_id: number;
  item_id: number | null;
  contract_id: number | null;
  tier_id: number | null;
  unit: string;
  qty: number;
  list_amount: number;
  rule_amount: number | null;
  net_amount: number;
  cost_amount: number | null;
  discount: number;
  net_price: number | null;
};

export type ReportQuote = {
  id: number;
  events: number;
  status_id: string;
  status_since: Instant;
  revision: number;
  owner_id: number;
  sales_rep_id: number | null;
  region_id: number | null;
  territory_id: number | null;
  facility_id: number | null;
  currn_idx: number;
  quote_date: string;
  valid_until: string;
  created_at: Instant;
  submitted_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  approved_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  sent_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  decided_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  touched_at: Instant;
  lost_reason: string;
  lost_competitor: string;
  lost_competitor_price: number | null;
  list_amount: number;
  contract_amount: number;
  promotion_amount: number;
  typed_amount: number;
  net_amount: number;
  freight_amount: number;
  total_amount: number;
  discount: number;
  cost_amount: number;
  costed_amount: number;
  uncosted_amount: number;
  uncosted_lines: number;
  leak_amount: number;
  leak_lines: number;
  rule_amount: number;
  in_editing: number | null;
  in_waiting: number | null;
  in_processing: number | null;
  in_need_info: number | null;
  in_approved: number | null;
  in_sent: number | null;
  in_revising: number | null;
  summed_events: number | null;
};

export type ReportState = {
  one: Generated<boolean>;
  taken_event: Generated<number>;
  mark_event: Generated<number>;
  mark_before: Generated<number>;
  filled_to: Generated<number>;
  fill_until: number | null;
};

export type Retention = {
  id: Generated<number>;
  version: Generated<number>;
  mail: number | null;
  history: number | null;
  files: number | null;
  sessions: number | null;
  notices: number | null;
};

export type RetentionCleared = {
  kind: string;
  before_day: string;
  through: Generated<number>;
  untold: Generated<number>;
};

export type SavedCriteria = {
  user_id: number;
  screen: string;
  criteria: Json;
};

export type SavedView = {
  id: Generated<number>;
  screen: string;
  name: string;
  address: string;
  owner_id: number;
  roles: Generated<string[]>;
  version: Generated<number>;
};

export type SavingsAnalysis = {
  id: Generated<number>;
  name: string;
  facility_id: number;
  owner_id: number;
  sales_rep_id: number | null;
  region_id: number | null;
  months: number;
  state: string;
  problem: Generated<string>;
  notes: ColumnType<unknown, string | undefined, string>;
  file_name: string;
  mapping: Json;
  options: Json;
  step: Generated<string>;
  done: Generated<number>;
  total: Generated<number>;
  tries: Generated<number>;
  currn_idx: number;
  price_date: string;
  minimum_saving_pct: number | null;
  created_at: Instant;
  version: Generated<number>;
};

export type SavingsFile = {
  analysis_id: number;
  file_id: number;
  kept_at: Instant;
};

export type SavingsPricing = {
  id: Generated<number>;
  analysis_id: number;
  price_date: string;
  rows: number;
  theirs: number;
  ours: number;
};

export type SavingsQuote = {
  analysis_id: number;
  quote_id: number;
  client_key: Generated<string>;
  row_ids: number[] | null;
  quantities: string | null;
  promised: number | null;
};

export type SavingsRow = {
  id: Generated<number>;
  analysis_id: number;
  row_no: number;
  item_no: string;
  distributor: string;
  catalog_no: string;
  maker: string;
  maker_no: string;
  description: string;
  unit: string;
  eaches: number | null;
  pack: string;
  sizes_differ: Generated<boolean>;
  qty_year: number | null;
  price: number | null;
  price_each: number | null;
  gtin: string;
  ndc: string;
  hcpcs: string;
  their_number: string;
  read_doubts: string[];
  doubts: Generated<string[]>;
  matched: Generated<boolean>;
  candidates: ColumnType<unknown, string | undefined, string>;
  confidence: Generated<string>;
  item_id: number | null;
  our_unit: Generated<string>;
  our_eaches: number | null;
  their_eaches: number | null;
  score: Generated<number>;
  reasons: Generated<string[]>;
  decision: Generated<string>;
  no_bid_reason: Generated<string>;
  decided_by: number | null;
  decided_by_key: number | null;
  decided_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  included: Generated<boolean>;
  typed_price: number | null;
  price_reason: Generated<string>;
  our_price: number | null;
  price_source: Generated<string>;
  price_problem: Generated<string>;
  cost: number | null;
  their_each: number | null;
  our_each: number | null;
  their_year: number | null;
  our_year: number | null;
  cost_year: number | null;
  taken: GeneratedAlways<boolean>;
  version: Generated<number>;
  tiers: ColumnType<unknown, string | undefined, string>;
  part: Generated<number>;
};

export type SavingsRowBefore = {
  pricing_id: number;
  row_id: number;
  item_id: number | null;
  our_unit: string;
  our_price: number | null;
  price_source: string;
};

export type SecondFactor = {
  user_id: number;
  secret: Generated<string>;
  since: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  last_step: Generated<number>;
  pending: Generated<string>;
  pending_until: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type SecurityEvent = {
  id: GeneratedAlways<number>;
  at: Instant;
  last_at: Instant;
  times: Generated<number>;
  kind: string;
  action: string;
  user_id: number | null;
  key_id: number | null;
  who: Generated<string>;
  account: Generated<string>;
  address: Generated<string>;
  user_agent: Generated<string>;
  calls: Generated<string[]>;
  event_id: number | null;
  words: GeneratedAlways<string | null>;
};

export type SentReport = {
  id: GeneratedAlways<number>;
  report: string;
  address: string;
  every: string;
  owner_id: number;
  roles: Generated<string[]>;
  declined: Generated<number[]>;
  next_on: string;
  last_on: string | null;
  version: Generated<number>;
};

export type SentReportMail = {
  report_id: number;
  user_id: number;
  day: string;
};

export type Session = {
  id: Generated<string>;
  user_id: number;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
  last_used_at: ColumnType<string, string | Date | undefined, string | Date>;
  user_agent: Generated<string>;
  revoked_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  must_enroll: Generated<boolean>;
  sign_on_issuer: string | null;
  sign_on_subject: string | null;
  sign_on_sid: string | null;
};

export type SignInChallenge = {
  token_hash: string;
  user_id: number;
  device: Generated<string>;
  expires_at: Instant;
};

export type SignInFailure = {
  key: string;
  failures: number;
  last_at: ColumnType<string, string | Date | undefined, string | Date>;
  blocked_until: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type SignInRule = {
  id: Generated<number>;
  second_factor_roles: Generated<string[]>;
  version: Generated<number>;
  session_days: Generated<number>;
};

export type SignOnAttempt = {
  state_hash: string;
  browser_hash: string;
  user_id: number | null;
  issuer: string;
  client_id: string;
  expires_at: Instant;
};

export type SignOnIdentity = {
  issuer: string;
  subject: string;
  user_id: number;
  linked_at: ColumnType<string, string | Date | undefined, string | Date>;
  last_used_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type SignOnLogout = {
  issuer: string;
  jti: string;
  expires_at: Instant;
};

export type SignOnProvider = {
  id: Generated<number>;
  issuer: Generated<string>;
  client_id: Generated<string>;
  secret: Generated<string>;
  scopes: Generated<string>;
  button: Generated<string>;
  makes_people: Generated<boolean>;
  local_off: Generated<boolean>;
  local_admin_id: number | null;
  version: Generated<number>;
};

export type SignOnRole = {
  position: number;
  claim: string;
  value: string;
  roles: string[];
};

export type StartView = {
  user_id: number;
  screen: string;
  view_id: number;
};

export type SwitchedOffAddon = {
  name: string;
  at: Instant;
};

export type TermsText = {
  id: GeneratedAlways<number>;
  body: string;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
};

export type Territory = {
  id: Generated<number>;
  name: string;
  region_id: number;
  active: Generated<boolean>;
  version: Generated<number>;
};

export type TerritoryPlan = {
  id: Generated<number>;
  name: string;
  note: Generated<string>;
  owner_id: number;
  state: Generated<string>;
  base_day: string;
  effective_day: string;
  filters: ColumnType<unknown, string | undefined, string>;
  colors: ColumnType<unknown, string | undefined, string>;
  view: ColumnType<unknown, string | undefined, string>;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
  changed_at: ColumnType<string, string | Date | undefined, string | Date>;
  changed_by: number | null;
  version: Generated<number>;
  published_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  published_by: number | null;
  rolled_back_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  last_assignment_id: number | null;
  archived_from: string | null;
  changed_by_key: number | null;
  published_by_key: number | null;
};

export type TerritoryPlanMove = {
  plan_id: number;
  zip5: string;
  from_territory_id: number | null;
  to_territory_id: number | null;
  gone: Generated<boolean>;
  version: number;
  changed_by: number | null;
  changed_by_key: number | null;
};

export type TerritoryPlanReader = {
  plan_id: number;
  user_id: number;
  may_edit: Generated<boolean>;
};

export type TerritoryPlanWork = {
  plan_id: number;
  action: string;
  effective_day: string | null;
  asked_by: number;
  done: Generated<number>;
  total: number;
  tries: Generated<number>;
  error: Generated<string>;
  asked_by_key: number | null;
};

export type TerritoryPlanWrite = {
  plan_id: number;
  assignment_id: number;
  zip5: string;
  territory_id: number;
  kind: string;
  valid_from: string;
  was_to: string | null;
  valid_to: string | null;
};

export type TerritoryRep = {
  id: Generated<number>;
  territory_id: number;
  role: string;
  user_id: number;
  valid_from: string;
  valid_to: string | null;
};

export type UserRegion = {
  user_id: number;
  region_id: number;
};

export type UserRole = {
  user_id: number;
  role: string;
};

export type UserSupport = {
  support_id: number;
  rep_id: number;
};

export type WebhookDelivery = {
  id: GeneratedAlways<number>;
  message_id: number;
  endpoint_id: number;
  state: Generated<string>;
  asks: Generated<number>;
  tries: Generated<number>;
  next_at: ColumnType<string, string | Date | undefined, string | Date>;
  last_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  status: number | null;
  answer: Generated<string>;
  error: Generated<string>;
  ms: number | null;
  delivered_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type WebhookEndpoint = {
  id: Generated<number>;
  address: string;
  description: Generated<string>;
  events: string[];
  active: Generated<boolean>;
  ended_why: Generated<string>;
  secret: Generated<string>;
  old_secret: Generated<string>;
  old_secret_until: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  created_by: number | null;
  created_at: ColumnType<string, string | Date | undefined, string | Date>;
  version: Generated<number>;
  paused_until: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  failing_since: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  told_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
  last_error: Generated<string>;
  lease: Generated<string>;
  leased_until: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type WebhookExpiry = {
  id: Generated<number>;
  through: string | null;
  through_at: ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
};

export type WebhookMessage = {
  id: GeneratedAlways<number>;
  key: Generated<string>;
  type: string;
  at: ColumnType<string, string | Date | undefined, string | Date>;
  body: string;
};

export type Zip = {
  zip5: string;
  city: Generated<string>;
  state: Generated<string>;
  county: Generated<string>;
  lat: number | null;
  lon: number | null;
};

export type ZipAssignment = {
  id: Generated<number>;
  zip5: string;
  territory_id: number;
  valid_from: string;
  valid_to: string | null;
};

export type Tables = {
  account_override: AccountOverride;
  account_price: AccountPrice;
  api_key: ApiKey;
  app_user: AppUser;
  approval_absence: ApprovalAbsence;
  approval_reminder: ApprovalReminder;
  approval_request: ApprovalRequest;
  approval_rule: ApprovalRule;
  board_change: BoardChange;
  company: Company;
  company_logo: CompanyLogo;
  configurable_group: ConfigurableGroup;
  configurable_model: ConfigurableModel;
  configurable_option: ConfigurableOption;
  configurable_rule: ConfigurableRule;
  configuration: Configuration;
  configured_item: ConfiguredItem;
  contact: Contact;
  contract_file: ContractFile;
  contract_file_version: ContractFileVersion;
  contract_folder: ContractFolder;
  contract_line: ContractLine;
  contract_line_price: ContractLinePrice;
  contract_loc: ContractLoc;
  contract_roster: ContractRoster;
  contract_tier: ContractTier;
  crm_connection: CrmConnection;
  crm_field: CrmField;
  crm_push: CrmPush;
  crm_stage: CrmStage;
  cross_reference: CrossReference;
  data_import: DataImport;
  data_import_change: DataImportChange;
  data_import_heading: DataImportHeading;
  data_import_held: DataImportHeld;
  document: Document;
  document_category: DocumentCategory;
  document_link: DocumentLink;
  document_revision: DocumentRevision;
  eligibility_request: EligibilityRequest;
  eligibility_request_quote: EligibilityRequestQuote;
  facility: Facility;
  facility_alias: FacilityAlias;
  facility_apart: FacilityApart;
  facility_identifier: FacilityIdentifier;
  facility_merge: FacilityMerge;
  file: File;
  geo_file: GeoFile;
  gpo: Gpo;
  gpo_contract: GpoContract;
  gpo_membership: GpoMembership;
  import_inbox_file: ImportInboxFile;
  import_inbox_round: ImportInboxRound;
  installation: Installation;
  invitation: Invitation;
  item: Item;
  item_class: ItemClass;
  item_identifier: ItemIdentifier;
  item_price: ItemPrice;
  item_suggestion: ItemSuggestion;
  item_unit: ItemUnit;
  mail: Mail;
  new_quote_key: NewQuoteKey;
  notification: Notification;
  notification_settings: NotificationSettings;
  notification_way: NotificationWay;
  order_file: OrderFile;
  order_request: OrderRequest;
  order_settings: OrderSettings;
  passkey: Passkey;
  passkey_challenge: PasskeyChallenge;
  picture: Picture;
  picture_round: PictureRound;
  picture_source: PictureSource;
  price_change: PriceChange;
  product: Product;
  product_document: ProductDocument;
  product_image: ProductImage;
  product_type: ProductType;
  promotion: Promotion;
  quote: Quote;
  quote_comment: QuoteComment;
  quote_configuration: QuoteConfiguration;
  quote_event: QuoteEvent;
  quote_file: QuoteFile;
  quote_item: QuoteItem;
  quote_name: QuoteName;
  quote_question: QuoteQuestion;
  quote_reminder: QuoteReminder;
  quote_revision: QuoteRevision;
  quote_revision_backup: QuoteRevisionBackup;
  quote_revision_document: QuoteRevisionDocument;
  quote_revision_picture: QuoteRevisionPicture;
  quote_risk: QuoteRisk;
  quote_sending: QuoteSending;
  quote_template: QuoteTemplate;
  quote_template_item: QuoteTemplateItem;
  record_event: RecordEvent;
  recovery_code: RecoveryCode;
  refresh_token: RefreshToken;
  region: Region;
  report_bought: ReportBought;
  report_class_change: ReportClassChange;
  report_class_month: ReportClassMonth;
  report_contract_month: ReportContractMonth;
  report_counted_line: ReportCountedLine;
  report_item_month: ReportItemMonth;
  report_line: ReportLine;
  report_quote: ReportQuote;
  report_state: ReportState;
  retention: Retention;
  retention_cleared: RetentionCleared;
  saved_criteria: SavedCriteria;
  saved_view: SavedView;
  savings_analysis: SavingsAnalysis;
  savings_file: SavingsFile;
  savings_pricing: SavingsPricing;
  savings_quote: SavingsQuote;
  savings_row: SavingsRow;
  savings_row_before: SavingsRowBefore;
  second_factor: SecondFactor;
  security_event: SecurityEvent;
  sent_report: SentReport;
  sent_report_mail: SentReportMail;
  session: Session;
  sign_in_challenge: SignInChallenge;
  sign_in_failure: SignInFailure;
  sign_in_rule: SignInRule;
  sign_on_attempt: SignOnAttempt;
  sign_on_identity: SignOnIdentity;
  sign_on_logout: SignOnLogout;
  sign_on_provider: SignOnProvider;
  sign_on_role: SignOnRole;
  start_view: StartView;
  switched_off_addon: SwitchedOffAddon;
  terms_text: TermsText;
  territory: Territory;
  territory_plan: TerritoryPlan;
  territory_plan_move: TerritoryPlanMove;
  territory_plan_reader: TerritoryPlanReader;
  territory_plan_work: TerritoryPlanWork;
  territory_plan_write: TerritoryPlanWrite;
  territory_rep: TerritoryRep;
  user_region: UserRegion;
  user_role: UserRole;
  user_support: UserSupport;
  webhook_delivery: WebhookDelivery;
  webhook_endpoint: WebhookEndpoint;
  webhook_expiry: WebhookExpiry;
  webhook_message: WebhookMessage;
  zip: Zip;
  zip_assignment: ZipAssignment;
};
