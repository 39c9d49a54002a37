// A field of Salesforce, as described by its org.

export type CrmField = {
  name: string;
  type: string;
  length: number;
  createable: boolean;
  updateable: boolean;
  nillable: boolean;
  defaultedOnCreate: boolean;
  externalId: boolean;
  restrictedPicklist: boolean;
  picklistValues: { value: string; active: boolean }[];
};
