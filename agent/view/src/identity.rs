//! A Golem as others meet it by ERC-8004.

use golem_primitives::Address;

use crate::picture;

picture! {
    /// Where others find it.
    pub struct ServicePicture { name: String = "by", endpoint: String = "at", version: String }

    /// L-012. What its registration file says.
    pub struct ProfilePicture {
        name: String = "name",
        description: String = "description",
        image: String = "image",
        active: bool = "active",
        x402: Option<String> = "x402",
        wallet: Option<Address> = "wallet",
        /// L-014. Whether its file may be made to say that it is dead.
        epitaph: bool = "epitaph",
        services: Vec<ServicePicture> = "services",
        /// What the file says that nobody here knows.
        besides: Vec<String>,
    }
}
