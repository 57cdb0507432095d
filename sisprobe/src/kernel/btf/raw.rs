//! The bytes of BTF: header, types, strings. Every access is checked, so that a damaged file
//! gives "not found" or an error and never a panic.

/// The first two bytes of the header, in the byte order of the kernel that BTF describes.
const MAGIC: u16 = 0xeb9f;

/// Bytes of a header whose later parts are unknown to us, and of one type without what follows.
const HEADER: usize = 24;
const TYPE: usize = 12;

/// What a type is (include/uapi/linux/btf.h, `BTF_KIND_*`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Int,
    Ptr,
    Array,
    Struct,
    Union,
    Enum,
    Fwd,
    Typedef,
    Volatile,
    Const,
    Restrict,
    Func,
    FuncProto,
    Var,
    Datasec,
    Float,
    DeclTag,
    TypeTag,
    Enum64,
}

impl Kind {
    const ALL: [Self; 19] = [
        Self::Int,
        Self::Ptr,
        Self::Array,
        Self::Struct,
        Self::Union,
        Self::Enum,
        Self::Fwd,
        Self::Typedef,
        Self::Volatile,
        Self::Const,
        Self::Restrict,
        Self::Func,
        Self::FuncProto,
        Self::Var,
        Self::Datasec,
        Self::Float,
        Self::DeclTag,
        Self::TypeTag,
        Self::Enum64,
    ];

    fn from_info(info: u32) -> Option<Self> {
        let number = (info >> 24 & 0x1f) as usize;
        Self::ALL.get(number.checked_sub(1)?).copied()
    }

    /// Bytes that follow a type of this kind with `count` parts.
    const fn trailer(self, count: usize) -> usize {
        match self {
            Self::Int | Self::Var | Self::DeclTag => 4,
            Self::Array => 12,
            Self::Struct | Self::Union | Self::Datasec | Self::Enum64 => 12 * count,
            Self::Enum | Self::FuncProto => 8 * count,
            _ => 0,
        }
    }
}

/// BTF with the place of each type.
pub(super) struct Raw {
    bytes: Vec<u8>,
    big_endian: bool,
    strings: std::ops::Range<usize>,
    /// Where type number `index + 1` begins.
    types: Vec<u32>,
}

/// One type.
#[derive(Clone, Copy)]
pub(super) struct Type<'a> {
    btf: &'a Raw,
    at: usize,
}

/// One member of a struct or union.
pub(super) struct Member {
    pub(super) name: u32,
    pub(super) type_id: u32,
    pub(super) bit_offset: u32,
    pub(super) is_bit_field: bool,
}

/// One parameter of a function.
pub(super) struct Parameter {
    pub(super) name: u32,
}

impl Raw {
    /// Notes where types begin.
    pub(super) fn parse(bytes: Vec<u8>) -> Result<Self, String> {
        let too_short = || "it ends in the middle of the header".to_owned();
        let magic = bytes.first_chunk::<2>().ok_or_else(too_short)?;
        let big_endian = match (u16::from_le_bytes(*magic), u16::from_be_bytes(*magic)) {
            (MAGIC, _) => false,
            (_, MAGIC) => true,
            _ => return Err("it is not raw BTF (no 0xeb9f at its start)".to_owned()),
        };
        let mut btf = Self {
            bytes,
            big_endian,
            strings: 0..0,
            types: Vec::new(),
        };
        let word = |at| {
            btf.word(at)
                .map(|value| value as usize)
                .ok_or_else(too_short)
        };
        let header = word(4)?;
        let (type_at, type_length, string_at, string_length) =
            (word(8)?, word(12)?, word(16)?, word(20)?);
        let section = |at: usize, length: usize| {
            let start = header.checked_add(at)?;
            let end = start.checked_add(length)?;
            (header >= HEADER && end <= btf.bytes.len()).then_some(start..end)
        };
        let types = section(type_at, type_length).ok_or("its types lie outside of it")?;
        btf.strings = section(string_at, string_length).ok_or("its strings lie outside of it")?;

        // A kernel's types take some 20 bytes each.
        let mut places = Vec::with_capacity(type_length / 20);
        let mut at = types.start;
        while at < types.end {
            let info = btf.word(at + 4).ok_or("its last type is cut")?;
            let kind = Kind::from_info(info)
                .ok_or_else(|| format!("it has a kind of type unknown to sisprobe ({info:#x})"))?;
            places.push(u32::try_from(at).map_err(|_| "it is too large")?);
            at += TYPE + kind.trailer((info & 0xffff) as usize);
        }
        if at > types.end {
            return Err("its last type is cut".to_owned());
        }
        btf.types = places;
        Ok(btf)
    }

    /// How many types there are.
    pub(super) fn len(&self) -> usize {
        self.types.len()
    }

    /// Type number `id`; there is none for 0, which is `void`.
    pub(super) fn get(&self, id: u32) -> Option<Type<'_>> {
        let index = (id as usize).checked_sub(1)?;
        let at = *self.types.get(index)? as usize;
        Some(Type { btf: self, at })
    }

    /// The first type of `kind` with this name.
    pub(super) fn find(&self, kind: Kind, name: &str) -> Option<Type<'_>> {
        self.types
            .iter()
            .map(|&at| Type {
                btf: self,
                at: at as usize,
            })
            .find(|found| found.kind() == Some(kind) && self.is_named(found, name))
    }

    /// Whether `name` is the name of `of`.
    pub(super) fn is_named(&self, of: &Type<'_>, name: &str) -> bool {
        let strings = &self.bytes[self.strings.clone()];
        strings
            .get(of.word(0) as usize..)
            .and_then(|rest| rest.strip_prefix(name.as_bytes()))
            .is_some_and(|rest| rest.first() == Some(&0))
    }

    /// The string at `offset` of the strings.
    pub(super) fn string(&self, offset: u32) -> Option<&str> {
        let rest = self.bytes[self.strings.clone()].get(offset as usize..)?;
        let end = rest.iter().position(|&byte| byte == 0)?;
        std::str::from_utf8(&rest[..end]).ok()
    }

    fn word(&self, at: usize) -> Option<u32> {
        let bytes = *self.bytes.get(at..)?.first_chunk::<4>()?;
        Some(if self.big_endian {
            u32::from_be_bytes(bytes)
        } else {
            u32::from_le_bytes(bytes)
        })
    }
}

impl<'a> Type<'a> {
    /// Word number `index` from the type's start; zero beyond the end of a damaged file, which
    /// `parse` has made impossible for what belongs to the type.
    fn word(&self, index: usize) -> u32 {
        self.btf.word(self.at + 4 * index).unwrap_or(0)
    }

    pub(super) fn kind(&self) -> Option<Kind> {
        Kind::from_info(self.word(1))
    }

    /// The third word: a size in bytes, or the number of another type, by kind.
    pub(super) fn size_or_type(&self) -> u32 {
        self.word(2)
    }

    fn parts(&self, words: usize) -> impl Iterator<Item = usize> + use<'a> {
        let count = (self.word(1) & 0xffff) as usize;
        (0..count).map(move |index| TYPE / 4 + words * index)
    }

    /// Members of a struct or union.
    pub(super) fn members(&self) -> impl Iterator<Item = Member> + use<'a> {
        let this = *self;
        // With the kind flag the offset's upper byte is the size of a bit field, 0 for none.
        let flag = this.word(1) >> 31 == 1;
        self.parts(3).map(move |at| {
            let offset = this.word(at + 2);
            Member {
                name: this.word(at),
                type_id: this.word(at + 1),
                bit_offset: if flag { offset & 0x00ff_ffff } else { offset },
                is_bit_field: flag && offset >> 24 != 0,
            }
        })
    }

    /// Parameters of a function prototype.
    pub(super) fn parameters(&self) -> impl Iterator<Item = Parameter> + use<'a> {
        let this = *self;
        self.parts(2).map(move |at| Parameter {
            name: this.word(at),
        })
    }

    /// Variables of a section: type number and offset in bytes.
    pub(super) fn variables(&self) -> impl Iterator<Item = (u32, u32)> + use<'a> {
        let this = *self;
        self.parts(3)
            .map(move |at| (this.word(at), this.word(at + 1)))
    }

    /// Element type and count of an array.
    pub(super) fn array(&self) -> Option<(u32, u32)> {
        (self.kind() == Some(Kind::Array)).then(|| (self.word(3), self.word(5)))
    }
}
