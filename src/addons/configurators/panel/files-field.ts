/** The id of the field that chooses a configurator's files. */
export const FILES_FIELD = 'configurator-files';
