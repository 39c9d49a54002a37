// The door of imports: kinds of files that add-ons import (docs/addons.md).
import { door } from '#platform/addons/door.ts';
import type { ImportKindServer } from './kinds/import-kind.server.ts';

export const addonImportKinds = door<ImportKindServer>();
